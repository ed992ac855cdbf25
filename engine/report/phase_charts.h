// Where the time of a run went, as pictures for the window, the HTML page and the PDF: each block's
// phases as a stack, and the gap between work and wall.
#pragma once

#include "report/phase_chart_options.h"
#include "runs/gap_waterfall.h"
#include "scene/display_list.h"
#include "scene/theme.h"
#include "scene/view_table.h"

#include <memory>

namespace blockloom::report {

/// A part of a chart and what it says of itself: for tooltips and keys.
struct ChartPart {
    scene::Rect rect; ///< pixels
    std::string words;
};
struct PartsChart {
    scene::DisplayList list;
    std::vector<ChartPart> parts;
};

/// A column a block: what was accelerated at the bottom, filled; serial phases over it, hatched.
/// Where columns would be thinner than four pixels neighbours share one (their mean), and the axis
/// says so. Each phase of a column is a part.
[[nodiscard]] PartsChart blocks_chart(const runs::KeptRun& run, const PhaseChartOptions& options);

/// The longest block of a run.
[[nodiscard]] Nanoseconds longest_block(const runs::KeptRun& run) noexcept;

/// A row a step, each bar where the one before ended; predicted ones hollow and dashed, the
/// measured sum last. Empty without steps. Its world tells the height that it took.
[[nodiscard]] scene::DisplayList gap_chart(const runs::GapWaterfall& gap, scene::Colour colour,
                                           const PhaseChartOptions& options);

/// The same as tables: a row a block with its phases; a row a step.
[[nodiscard]] std::shared_ptr<const scene::ViewTable> blocks_table(const runs::KeptRun& run);
[[nodiscard]] std::shared_ptr<const scene::ViewTable> gap_table(const runs::GapWaterfall& gap);
/// What the first `most` blocks came to: tasks, statuses, time, digest.
[[nodiscard]] std::shared_ptr<const scene::ViewTable> results_table(const runs::KeptRun& run,
                                                                    std::size_t most);
/// Rows of it that a report shows: the rest is in .csv and .json.
inline constexpr std::size_t most_rows_of_blocks = 200;

/// The colour of what ran it.
[[nodiscard]] scene::Colour backend_colour(const runs::KeptRun& run, const scene::Theme& theme);

} // namespace blockloom::report
