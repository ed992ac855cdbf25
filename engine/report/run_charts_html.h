// Charts of kept runs as parts of the self-contained page: light and dark, no scripts.
#pragma once

#include "runs/gap_waterfall.h"
#include "runs/scaling_figures.h"

#include <string>

namespace blockloom::report {

/// The phases of each block as a figure; `most` is the top of its axis (0: its own).
[[nodiscard]] std::string blocks_figure(const runs::KeptRun& run, Nanoseconds most);
/// Tasks, results and digests of each block as a table, `most` rows of it.
[[nodiscard]] std::string results_of_blocks(const runs::KeptRun& run, std::size_t most);
/// Busy against wall of the run and of its blocks: figures, or why there are none. Null: no spans
/// were kept.
[[nodiscard]] std::string busy_figures(const runs::KeptRun& run, const profile::Trace* spans);
/// The gap between work and wall: a figure, or why there is none.
[[nodiscard]] std::string gap_figure(const runs::KeptRun& run, const runs::GapWaterfall& gap);
/// A section: Amdahl's chart, the other laws beside it, the words, the table of the points.
[[nodiscard]] std::string scaling_section(const runs::ScalingFigures& figures);

} // namespace blockloom::report
