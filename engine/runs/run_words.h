// Where a kept run's time went, in words: the profiling report.
#pragma once

#include "runs/run_figures.h"

#include <string>
#include <vector>

namespace blockloom::runs {

/// Lines of plain text: the strategies that were chosen, the accelerated share, the serial share
/// with its largest parts, what would remain with an infinitely fast device (predicted), the
/// measured speed-up, Karp–Flatt where the run had several workers, and the largest gain
/// (predicted). `baseline` may be null; lines that need it then say so.
[[nodiscard]] std::vector<std::string> profiling_report(const KeptRun& run,
                                                        const KeptRun* baseline);

} // namespace blockloom::runs
