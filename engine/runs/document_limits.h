// Limits for documents of runs and tunings: a longer or larger value is damage, not a figure.
#pragma once

#include "base/clock.h"

#include <cstddef>

namespace blockloom::runs {

inline constexpr Nanoseconds most_time = Nanoseconds{1} << 53;
inline constexpr std::size_t name_bytes = 4096, most_samples = 1'000'000;

} // namespace blockloom::runs
