// The JSON of `blockloom-cli analyze` (schema blockloom.analysis/1).
#pragma once

#include "range/range.h"

#include <string>

namespace blockloom::report {

/// One JSON document of a range: figures per block and for all (docs/json.md#analyses). Invalid
/// UTF-8 is replaced, never an error. Absent figures are null. Ends with a newline.
[[nodiscard]] std::string analysis_json(const range::Range& range);

/// "single-version" or "multi-version", and back.
[[nodiscard]] std::string_view name_of(conflict::ConflictModel model);
[[nodiscard]] std::optional<conflict::ConflictModel> model_named(std::string_view name);

/// The cost unit of the range's figures: "unit", "gas", "fuel", "compute_units" or
/// "measured_ns".
[[nodiscard]] std::string_view cost_name(const range::BlockRecord& record);

} // namespace blockloom::report
