// The divergence of two kept runs as JSON.
#pragma once

#include "runs/run_divergence.h"

#include <string>

namespace blockloom::report {

/// One document (schema blockloom.divergence/1), ends with a newline.
[[nodiscard]] std::string divergence_json(const runs::RunDivergence& found, const runs::KeptRun& a,
                                          const runs::KeptRun& b);

} // namespace blockloom::report
