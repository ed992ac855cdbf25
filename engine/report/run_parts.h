// The parts of a report of kept runs that are charts with their words and tables.
#pragma once

#include "report/document.h"
#include "runs/gap_waterfall.h"
#include "runs/scaling_figures.h"

namespace blockloom::report {

/// The phases of each block as a chart, `most` being the top of its axis (0: its own), and their
/// results as a table.
void add_blocks(std::vector<Part>& parts, const runs::KeptRun& run, Nanoseconds most);
/// Busy against wall of the run and of its blocks: charts, or why there are none. Null: no spans
/// were kept.
void add_busy(std::vector<Part>& parts, const runs::KeptRun& run, const profile::Trace* spans);
/// The gap between work and wall: a chart, or why there is none.
void add_gap(std::vector<Part>& parts, const runs::KeptRun& run, const runs::GapWaterfall& gap);
/// Amdahl's chart, the other laws beside it, the words, the table of the points.
[[nodiscard]] Section scaling_section(const runs::ScalingFigures& figures);

} // namespace blockloom::report
