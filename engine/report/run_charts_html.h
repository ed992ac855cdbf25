// Charts of kept runs for the self-contained page: light and dark, no scripts.
#pragma once

#include "runs/gap_waterfall.h"
#include "runs/scaling_figures.h"

#include <string>

namespace blockloom::report {

/// The phases of each block as a figure; `most` is the top of its axis (0: its own maximum).
[[nodiscard]] std::string blocks_figure(const runs::KeptRun& run, Nanoseconds most);
/// Tasks, results and digests of the first blocks as a table.
[[nodiscard]] std::string results_of_blocks(const runs::KeptRun& run, std::size_t most);
/// Busy time against wall time, of the run and of its blocks: figures, or why there are none. Null:
/// no spans were kept.
[[nodiscard]] std::string busy_figures(const runs::KeptRun& run, const profile::Trace* spans);
/// The gap between work and wall time: a figure, or why there is none.
[[nodiscard]] std::string gap_figure(const runs::KeptRun& run, const runs::GapWaterfall& gap);
/// A section: the charts of Amdahl's and the other laws, the sentences, the table of points.
[[nodiscard]] std::string scaling_section(const runs::ScalingFigures& figures);

} // namespace blockloom::report
