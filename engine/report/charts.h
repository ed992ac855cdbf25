// Charts of blocks and ranges. Level charts use the colour ramp, and are inline SVG with classes of
// the style sheet, so that they follow light and dark.
#pragma once

#include "charts/chart.h"
#include "range/range.h"

#include <string>

namespace blockloom::report {

/// Tasks in each level, height on a logarithmic scale, coloured along the ramp. Above 400 levels
/// neighbours share a bar (their mean), and the axis caption says so.
[[nodiscard]] std::string level_chart(const conflict::ConflictIndex& index);

/// The same without axes, for a table cell.
[[nodiscard]] std::string level_sparkline(const conflict::ConflictIndex& index);

/// Predicted speed-up over workers of the three simulated schedules, and the limit set by the
/// parallelism. Dashed lines and hollow points: nothing here is measured.
[[nodiscard]] charts::Chart speedup_chart(const schedule::BlockAnalysis& analysis);

/// Parallelism of each block in order, logarithmic, hollow bars (predicted). Above 240 blocks
/// neighbours share a bar: their mean.
[[nodiscard]] charts::Chart range_chart(const range::Range& range);

} // namespace blockloom::report
