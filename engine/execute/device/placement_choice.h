// Chooses whether the next block window runs on the device or on the host's workers: where windows
// were faster.
#pragma once

#include "base/clock.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace blockloom::execute {

/// For runs whose device was not named by the user. Both sides alternate for two windows each, of
/// which the first is warm-up; after that the faster side is used, and every 16th window goes to
/// the other, so that a change in the kind of blocks is noticed. A window whose messages waited for
/// code says nothing of the device, but 16 of them do: code may never come.
class PlacementChoice {
public:
    /// Windows with fewer tasks are ignored.
    static constexpr std::uint64_t enough_tasks = 64;

    [[nodiscard]] bool device_is_next() const noexcept;
    /// Records the time of a window from its first round to its last acceptance. `waited`: the
    /// device had no code yet for most of its messages.
    void note(bool device, Nanoseconds wall, std::uint64_t tasks, bool waited = false) noexcept;
    /// Both sides' latest time per task, in words, if the faster side changed since the last call.
    [[nodiscard]] std::optional<std::string> take_change();

private:
    static constexpr std::size_t trials = 2, turn = 16, most_waits = 16;

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
    std::uint64_t since_other_ = 0, waits_ = 0;
    std::optional<bool> reported_;
};

} // namespace blockloom::execute
