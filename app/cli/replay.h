// What replay prints about a run.
#pragma once

#include "command.h"
#include "range/range.h"
#include "runs/run_record.h"

#include <string>

namespace blockloom::cli {

/// A run as text: a row per block, totals, digest, and the folder that keeps it.
[[nodiscard]] std::string run_text(const runs::RunRecord& run, const std::string& kept_in);

/// A run of one block as a line.
[[nodiscard]] std::string followed_line(const runs::RunRecord& run);

} // namespace blockloom::cli
