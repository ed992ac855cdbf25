// The JSON of `blockloom-cli compare` (schema blockloom.comparison/1).
#pragma once

#include "runs/gap_waterfall.h"
#include "runs/run_comparison.h"

namespace blockloom::report {

/// One document, ends with a newline. Ratios are A's time over B's. `gate` and `gap` may be null.
/// Absent figures are null.
[[nodiscard]] std::string comparison_json(const runs::RunComparison& comparison,
                                          const runs::KeptRun& a, const runs::KeptRun& b,
                                          const runs::Gate* gate,
                                          const runs::GapDifference* gap = nullptr);

} // namespace blockloom::report
