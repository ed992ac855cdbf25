// Times of repeated runs in a few numbers (docs/definitions.md#medians-and-intervals).
#pragma once

#include "base/clock.h"

#include <optional>
#include <utility>
#include <vector>

namespace blockloom::profile {

/// Nanoseconds. Percentiles are nearest-rank: each is one of the samples. The median of an even
/// number of samples is the mean of the middle two, rounded down.
struct OrderStatistics {
    Nanoseconds median = 0, p50 = 0, p95 = 0, p99 = 0;
    /// 95 % confidence interval of the median by order statistics (no assumption on the
    /// distribution); absent below six samples.
    std::optional<std::pair<Nanoseconds, Nanoseconds>> ci95;
};

/// All 0 without samples.
[[nodiscard]] OrderStatistics order_statistics(std::vector<Nanoseconds> samples);

} // namespace blockloom::profile
