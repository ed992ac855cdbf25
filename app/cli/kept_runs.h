// Kept runs by name: an id of the workspace, or a file that `runs export` wrote.
#pragma once

#include "command.h"
#include "report/run_report.h"

namespace blockloom::cli {

/// Error: no such run, or the file is not a run; the message says where it was looked for.
[[nodiscard]] Result<runs::KeptRun> find_run(const Context& context, const std::string& name);

/// The same with document and spans.
[[nodiscard]] Result<report::ReportedRun> find_whole_run(const Context& context,
                                                         const std::string& name);

/// The kept runs of the workspace, newest first, at most 1,000; unreadable ones cause a warning.
/// Runs whose ids are in `known` are left out: the caller has them.
[[nodiscard]] Result<std::vector<runs::KeptRun>>
all_kept_runs(const Context& context, std::span<const std::string> known = {});

/// Whether a SOURCE is a run: a file written by `runs export`, or no file but an id.
[[nodiscard]] Result<bool> names_run(const Context& context, const std::string& name);

} // namespace blockloom::cli
