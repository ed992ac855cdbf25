// Charts of blocks and ranges.
#pragma once

#include "charts/chart.h"
#include "range/range.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace blockloom::report {

/// Tasks in each level, height on a logarithmic scale, coloured along the ramp. Above 400 levels
/// neighbours share a bar (their mean), and the axis caption says so. `marked`: the selected task's
/// level, from 1.
[[nodiscard]] charts::Chart level_chart(const conflict::ConflictIndex& index,
                                        std::optional<std::uint32_t> marked = {});

/// The same as bars of 0 … 1 for a table's cell, at most 48; empty: no level.
[[nodiscard]] std::vector<double> level_sparkline(const conflict::ConflictIndex& index);

/// Predicted speed-up by number of workers of the three simulated schedules, and the limit set by
/// the parallelism. Dashed lines and hollow points: nothing here is measured.
[[nodiscard]] charts::Chart speedup_chart(const schedule::BlockAnalysis& analysis);

/// Parallelism of each block in order, logarithmic, hollow bars (predicted). Above 240 blocks
/// neighbours share a bar: their mean.
[[nodiscard]] charts::Chart range_chart(const range::Range& range);

} // namespace blockloom::report
