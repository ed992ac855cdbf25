// How many of the first repetitions are warm-up: caches, compiled code, rising clock rates.
#pragma once

#include "base/clock.h"

#include <span>

namespace blockloom::profile {

/// The number of samples to exclude at the front: those before the first that is not slower than
/// the second half of the samples, that is, not above its median by both four scaled median
/// deviations and 1 %. At most half; 0 below eight samples. Samples are in the order in which they
/// were taken.
[[nodiscard]] std::size_t warm_up_of(std::span<const Nanoseconds> samples);

/// The samples after the warm-up.
[[nodiscard]] inline std::span<const Nanoseconds>
without_warm_up(std::span<const Nanoseconds> samples) {
    return samples.subspan(warm_up_of(samples));
}

} // namespace blockloom::profile
