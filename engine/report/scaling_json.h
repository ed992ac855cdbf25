// Speed-ups by number of workers as JSON and CSV.
#pragma once

#include "runs/scaling_figures.h"

#include <string>

namespace blockloom::report {

/// One JSON document (schema blockloom.scaling/1). Ends with a newline.
[[nodiscard]] std::string scaling_json(const runs::ScalingFigures& figures);
/// One row per point (RFC 4180), with the baseline in every row.
[[nodiscard]] std::string scaling_csv(const runs::ScalingFigures& figures);

} // namespace blockloom::report
