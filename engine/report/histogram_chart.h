// Histogram of the lengths of spans, as a chart.
#pragma once

#include "charts/chart.h"
#include "profile/histogram.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace blockloom::report {

struct HistogramChartOptions {
    std::string name; ///< what was measured
    charts::Ink ink = &scene::Theme::accent;
    bool log_counts = false; ///< so that small counts next to large ones are visible
    std::optional<std::pair<Nanoseconds, Nanoseconds>>
        marked; ///< range of lengths, both ends included
};

/// Times on a logarithmic axis, counts upwards; median, p95 and p99 as lines. `bins`: adjacent bins
/// of `lengths`.
[[nodiscard]] charts::Chart histogram_chart(const profile::Histogram& lengths,
                                            const std::vector<profile::Histogram::Bucket>& bins,
                                            const HistogramChartOptions& options);

} // namespace blockloom::report
