// Whether the next window goes to the device or to the host's workers: where windows were faster.
#pragma once

#include "base/clock.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace blockloom::execute {

/// For runs whose device nobody named. Both sides run two windows by turns, of which each one's
/// first is its warm-up; from then on the faster one goes, and every 16th window is the other's, so
/// that blocks of another kind are noticed.
class DeviceWorth {
public:
    /// Windows of fewer tasks tell nothing.
    static constexpr std::uint64_t enough_tasks = 64;

    [[nodiscard]] bool device_is_next() const noexcept;
    /// What a window took from its first round to its last acceptance.
    void note(bool device, Nanoseconds wall, std::uint64_t tasks) noexcept;
    /// Both sides' latest time a task, in words, when the faster side changed since the last
    /// asking.
    [[nodiscard]] std::optional<std::string> take_change();

private:
    static constexpr std::size_t trials = 2, turn = 16;

    struct Side {
        std::uint64_t windows = 0;
        Nanoseconds per_task = 0; ///< of the latest window
    };
    [[nodiscard]] bool is_settled() const noexcept {
        return sides_[0].windows >= trials && sides_[1].windows >= trials;
    }
    [[nodiscard]] bool device_is_faster() const noexcept {
        return sides_[1].per_task < sides_[0].per_task;
    }

    std::array<Side, 2> sides_; ///< host, device
    std::uint64_t since_other_ = 0;
    std::optional<bool> told_;
};

} // namespace blockloom::execute
