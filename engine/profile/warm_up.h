// How many of the first repetitions are warm-up: caches, compiled code, clocks that rise.
#pragma once

#include "base/clock.h"

#include <span>

namespace blockloom::profile {

/// Samples to leave out at the front: those before the first that is no slower than the second half
/// of the samples is, that is, than its median by four of its scaled median deviations and by 1 %.
/// At most half; 0 below eight samples. Samples are in the order in which they were taken.
[[nodiscard]] std::size_t warm_up_of(std::span<const Nanoseconds> samples);

/// The samples after the warm-up.
[[nodiscard]] inline std::span<const Nanoseconds>
without_warm_up(std::span<const Nanoseconds> samples) {
    return samples.subspan(warm_up_of(samples));
}

} // namespace blockloom::profile
