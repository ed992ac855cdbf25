// Speed-ups over workers as a picture: one display list for the window, the HTML page and the PDF.
#pragma once

#include "runs/live_scaling.h"
#include "runs/scaling_figures.h"
#include "scene/display_list.h"
#include "scene/overlay.h"
#include "scene/theme.h"
#include "scene/view_table.h"

#include <memory>
#include <string_view>
#include <vector>

namespace blockloom::report {

/// What is drawn beside the measured points.
enum class ScalingLaw : std::uint8_t { amdahl, gustafson, usl, karp_flatt, count };
/// "Amdahl", "Gustafson", "USL", "Karp–Flatt".
[[nodiscard]] const char* name_of(ScalingLaw law) noexcept;

struct ScalingChartOptions {
    ScalingLaw law = ScalingLaw::amdahl;
    const scene::Theme* theme = &scene::dark_theme();
    float width = 760, height = 300; ///< pixels
    std::string a, b;                ///< ids of runs whose points are lettered; empty: none
    std::optional<runs::RunningPoint>
        so_far{}; ///< of a run that goes on: hollow, for it is an estimate
};

/// Where a measured point stands, pixels.
struct ChartPoint {
    scene::Point at;
    std::size_t series = 0, point = 0;
};

struct ScalingChart {
    scene::DisplayList list; ///< screen space only; its summary says all in words
    std::vector<ChartPoint> points;
};

/// Measured points are filled and carry their interval; laws are dashed, the infinitely fast device
/// is the strongest line. Both axes are logarithmic, but for Karp–Flatt's fraction. Devices stand
/// beside the workers. Empty figures give an empty list.
[[nodiscard]] ScalingChart scaling_chart(const runs::ScalingFigures& figures,
                                         const ScalingChartOptions& options);

/// Signs of what that chart draws.
[[nodiscard]] std::vector<scene::OverlayLegend>
scaling_legend(const runs::ScalingFigures& figures, ScalingLaw law, const scene::Theme& theme);

/// The same as a table: a row a point, then a row a struck-out run.
[[nodiscard]] std::shared_ptr<const scene::ViewTable>
scaling_table(const runs::ScalingFigures& figures);

/// The colour of what ran a series.
[[nodiscard]] scene::Colour backend_colour(const runs::ScalingSeries& series,
                                           const scene::Theme& theme);

} // namespace blockloom::report
