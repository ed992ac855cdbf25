// Converts the ticks of a shader clock to times of the host's steady clock.
#pragma once

#include "base/clock.h"

#include <cstdint>

namespace blockloom::gpuvm {

/// A submission on both clocks: its kernels ran between two host times (timestamp queries), and in
/// between the first wave began and the last one ended at two ticks.
struct ClockBracket {
    Nanoseconds begin = 0, end = 0;
    std::uint64_t first = 0, last = 0;
    bool own_origin = false; ///< its ticks are not comparable with another bracket's
};

/// Vulkan specifies neither the unit nor the origin of the ticks. Both are measured: the rate from
/// the midpoints of the first and the latest bracket, never above what any bracket allows, since
/// its waves ran inside it; the offset by centring the latest bracket's waves in it. The error of a
/// time is at most half of the bracket's slack. If brackets have their own origins, the rate is the
/// least that any of them allows.
class WaveClock {
public:
    /// Sets the submission whose ticks are converted next.
    void anchor(const ClockBracket& bracket) noexcept;

    /// A time within the latest bracket; a tick outside it is clamped to its edge, and counted.
    [[nodiscard]] Nanoseconds to_host(std::uint64_t tick) noexcept;

    [[nodiscard]] double ns_per_tick() const noexcept { return rate_; } ///< 0: unknown so far
    [[nodiscard]] std::uint64_t clamped() const noexcept { return clamped_; }

private:
    ClockBracket base_, now_;
    double rate_ = 0, most_ = 0; ///< nanoseconds per tick; most_: the limit by all brackets
    std::uint64_t clamped_ = 0;
};

} // namespace blockloom::gpuvm
