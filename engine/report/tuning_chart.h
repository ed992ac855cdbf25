// Time over the largest batch, as a chart.
#pragma once

#include "charts/chart.h"
#include "runs/tuning_views.h"

#include <string>

namespace blockloom::report {

/// How times and devices are called.
struct TuningChartOptions {
    std::string device;              ///< name of the curve's device
    std::string unit = "ms";         ///< of the times, as the axis names it: "µs per message"
    double nanoseconds = 1e6;        ///< of one of that unit
    std::string crossing;            ///< which of the two is faster, and from where; empty: unknown
    std::optional<std::uint64_t> at; ///< the batch that is chosen
};

/// Both axes are logarithmic. Measured points are filled and carry their interval, predicted ones
/// are hollow; the optimum is a band, the CPU a line. A point's id is its place in the sweep.
[[nodiscard]] charts::Chart tuning_chart(const runs::TuningCurve& curve,
                                         const TuningChartOptions& options);

/// "64 Ki", "all": a number of messages at once.
[[nodiscard]] std::string batch_text(std::uint64_t batch_max);

} // namespace blockloom::report
