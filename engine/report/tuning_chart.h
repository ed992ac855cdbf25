// Time by the largest batch size, as a chart.
#pragma once

#include "charts/chart.h"
#include "runs/tuning_views.h"

#include <string>

namespace blockloom::report {

/// Names and units.
struct TuningChartOptions {
    std::string device;              ///< the curve's device
    std::string unit = "ms";         ///< of the times, as on the axis: "µs per message"
    double nanoseconds = 1e6;        ///< per unit
    std::string crossing;            ///< which of the two is faster, and from where; empty: unknown
    std::optional<std::uint64_t> at; ///< the chosen batch size
};

/// Both axes are logarithmic. Measured points are filled and have their intervals, predicted points
/// are hollow; the optimum is a band, the CPU a line. A point's id is its index in the sweep.
[[nodiscard]] charts::Chart tuning_chart(const runs::TuningCurve& curve,
                                         const TuningChartOptions& options);

/// "64 Ki", "all": a number of messages per batch.
[[nodiscard]] std::string batch_text(std::uint64_t batch_max);

} // namespace blockloom::report
