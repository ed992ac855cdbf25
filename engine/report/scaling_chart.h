// Speed-ups by number of workers as a chart for the window, the HTML page and the PDF.
#pragma once

#include "charts/chart.h"
#include "runs/live_scaling.h"
#include "runs/scaling_figures.h"

#include <memory>
#include <optional>
#include <string>

namespace blockloom::report {

/// What is drawn with the measured points.
enum class ScalingLaw : std::uint8_t { amdahl, gustafson, usl, karp_flatt, count };
/// "Amdahl", "Gustafson", "USL", "Karp–Flatt".
[[nodiscard]] const char* name_of(ScalingLaw law) noexcept;

struct ScalingChartOptions {
    ScalingLaw law = ScalingLaw::amdahl;
    std::string a, b; ///< ids of runs whose points are labelled A and B; empty: none
    /// Of a run in progress: hollow, because it is an estimate.
    std::optional<runs::RunningPoint> so_far{};
};

/// Measured points are filled and have their intervals; laws are dashed, the infinitely fast device
/// is the strongest line. Both axes are logarithmic, except for the fraction of Karp–Flatt. Devices
/// are drawn beside the workers. A meaningless fit is not drawn, and `left_out` says why. Without a
/// serial run there are no series.
[[nodiscard]] charts::Chart scaling_chart(const runs::ScalingFigures& figures,
                                          const ScalingChartOptions& options = {});

/// The same as a table: one row per point, then one per excluded run.
[[nodiscard]] std::shared_ptr<const scene::ViewTable>
scaling_table(const runs::ScalingFigures& figures);

/// The colour of the backend and engine of a series.
[[nodiscard]] charts::Ink ink_of(const runs::ScalingSeries& series) noexcept;

} // namespace blockloom::report
