// What replay needs beside the engine: where the state lies, and what is told of a run.
#pragma once

#include "command.h"
#include "execute/run_record.h"
#include "range/range.h"

#include <string>

namespace blockloom::cli {

/// A run for people: a row a block, totals, digest.
[[nodiscard]] std::string run_text(const execute::RunRecord& run);

/// Keeps a run's document in a workspace under its id; a second run of the same second gets a
/// number behind it.
Status keep_run(store::Workspace& workspace, execute::RunRecord& run);

} // namespace blockloom::cli
