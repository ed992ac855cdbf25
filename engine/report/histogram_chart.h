// How often something took how long, as a chart.
#pragma once

#include "charts/chart.h"
#include "profile/histogram.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace blockloom::report {

struct HistogramChartOptions {
    std::string name; ///< of what was measured
    charts::Ink ink = &scene::Theme::accent;
    bool log_counts = false;                                   ///< a few beside very many are seen
    std::optional<std::pair<Nanoseconds, Nanoseconds>> marked; ///< lengths, the last one too
};

/// Times on a logarithmic axis, counts above; the median, p95 and p99 as lines. `bins`: of
/// `lengths`, side by side.
[[nodiscard]] charts::Chart histogram_chart(const profile::Histogram& lengths,
                                            const std::vector<profile::Histogram::Bucket>& bins,
                                            const HistogramChartOptions& options);

} // namespace blockloom::report
