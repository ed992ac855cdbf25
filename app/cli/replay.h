// What replay prints about a run.
#pragma once

#include "command.h"
#include "execute/run_record.h"
#include "range/range.h"

#include <string>

namespace blockloom::cli {

/// A run for people: a row a block, totals, digest, and the folder that keeps it.
[[nodiscard]] std::string run_text(const execute::RunRecord& run, const std::string& kept_in);

} // namespace blockloom::cli
