// The ticks of a shader clock as times of the host's steady clock.
#pragma once

#include "base/clock.h"

#include <cstdint>

namespace blockloom::gpuvm {

/// A submission on both clocks: its kernels lie between two moments of the host (timestamp
/// queries), and between them the first wave began and the last one ended at two ticks.
struct ClockBracket {
    Nanoseconds begin = 0, end = 0;
    std::uint64_t first = 0, last = 0;
    bool own_origin = false; ///< its ticks do not compare with another bracket's
};

/// Vulkan tells neither the unit nor the origin of the ticks. Both are measured: the rate from the
/// middles of the first bracket and of the latest, never above what any bracket allows, since its
/// waves ran inside of it; the place by laying the latest bracket's waves into its middle. A time
/// is off by at most half of what the bracket leaves free. Where brackets have origins of their
/// own, the rate is the least that any of them allows.
class WaveClock {
public:
    /// The submission whose ticks are asked for next.
    void anchor(const ClockBracket& bracket) noexcept;

    /// Lies in the latest bracket; a tick that does not is brought to its edge, and counted.
    [[nodiscard]] Nanoseconds to_host(std::uint64_t tick) noexcept;

    [[nodiscard]] double ns_per_tick() const noexcept { return rate_; } ///< 0: not known yet
    [[nodiscard]] std::uint64_t clamped() const noexcept { return clamped_; }

private:
    ClockBracket base_, now_;
    double rate_ = 0, most_ = 0; ///< nanoseconds a tick; most_: what all brackets allow
    std::uint64_t clamped_ = 0;
};

} // namespace blockloom::gpuvm
