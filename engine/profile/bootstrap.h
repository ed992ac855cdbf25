// Confidence intervals by resampling, for a median and for a ratio of two
// (docs/definitions.md#medians-and-intervals). Percentile bootstrap; seeded, so that the same
// samples give the same interval.
#pragma once

#include "base/clock.h"

#include <cstdint>
#include <optional>
#include <span>

namespace blockloom::profile {

struct Interval {
    double low = 0, high = 0;
    [[nodiscard]] bool holds(double value) const noexcept { return low <= value && value <= high; }
    bool operator==(const Interval&) const = default;
};

struct BootstrapOptions {
    std::uint64_t seed = 20261121;
    unsigned resamples = 4000; ///< fewer, but at least 100, from 16,777 samples on
    double confidence = 0.95;
};

/// Below this many samples there is no interval: even the sample's extremes would not contain the
/// median with 95 % confidence.
inline constexpr std::size_t fewest_samples = 6;

/// Middle sample; the mean of the middle two of an even number. 0 without samples.
[[nodiscard]] double median_of(std::span<const Nanoseconds> samples);

/// Interval of the median, in nanoseconds. Absent below `fewest_samples`.
[[nodiscard]] std::optional<Interval> median_interval(std::span<const Nanoseconds> samples,
                                                      const BootstrapOptions& options = {});

/// Interval of median(a) / median(b): both sides are resampled. Absent if a side has fewer than
/// `fewest_samples`, or a sample of b is not above 0.
[[nodiscard]] std::optional<Interval> ratio_interval(std::span<const Nanoseconds> a,
                                                     std::span<const Nanoseconds> b,
                                                     const BootstrapOptions& options = {});

} // namespace blockloom::profile
