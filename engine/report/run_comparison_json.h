// The JSON of `blockloom-cli compare` (schema blockloom.comparison/1).
#pragma once

#include "report/run_comparison.h"

namespace blockloom::report {

/// One document, ends with a newline. Ratios are A's time over B's. `gate` may be null. Absent
/// figures are null.
[[nodiscard]] std::string comparison_json(const RunComparison& comparison, const KeptRun& a,
                                          const KeptRun& b, const Gate* gate);

} // namespace blockloom::report
