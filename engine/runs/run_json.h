// The JSON of `blockloom-cli replay` (schema blockloom.run/1).
#pragma once

#include "execute/run_record.h"
#include "runs/provenance.h"

#include <string>

namespace blockloom::runs {

/// One document of a run: settings, machine, figures of each block, totals (docs of the names: spec
/// of the command line). Absent figures are null. Ends with a newline.
[[nodiscard]] std::string run_json(const execute::RunRecord& run, const Provenance& provenance);

} // namespace blockloom::runs
