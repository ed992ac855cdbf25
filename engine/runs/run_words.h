// Where a kept run's time went, in words: the profiling report.
#pragma once

#include "runs/run_figures.h"

#include <string>
#include <vector>

namespace blockloom::runs {

/// Lines of plain text: the accelerated share, the other share with its largest parts, what an
/// infinitely fast device would leave (predicted), the measured speed-up, Karp–Flatt where the run
/// had several workers, and what would help most next (predicted). `baseline` may be null: what
/// needs it says so.
[[nodiscard]] std::vector<std::string> profiling_report(const KeptRun& run,
                                                        const KeptRun* baseline);

} // namespace blockloom::runs
