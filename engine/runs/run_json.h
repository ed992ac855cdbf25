// The JSON of `blockloom-cli replay` (schema blockloom.run/1).
#pragma once

#include "runs/provenance.h"
#include "runs/run_record.h"

#include <string>

namespace blockloom::runs {

/// One document of a run: settings, machine, figures of each block, totals (docs/json.md#runs).
/// Absent figures are null. Ends with a newline.
[[nodiscard]] std::string run_json(const RunRecord& run, const Provenance& provenance);

} // namespace blockloom::runs
