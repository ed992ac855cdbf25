// Kept runs by name: an id of the workspace, or a file that `runs export` wrote.
#pragma once

#include "command.h"
#include "report/run_report.h"

namespace blockloom::cli {

/// Error: no such run, or the file is none; the message lists where was looked.
[[nodiscard]] Result<runs::KeptRun> find_run(const Context& context, const std::string& name);

/// The same with its document and its spans.
[[nodiscard]] Result<report::ReportedRun> find_whole_run(const Context& context,
                                                         const std::string& name);

/// The kept runs of the workspace, newest first, the last 1,000; what cannot be read is warned of.
/// Those of the ids in `known` are left out: the caller has them.
[[nodiscard]] Result<std::vector<runs::KeptRun>>
all_kept_runs(const Context& context, std::span<const std::string> known = {});

/// Whether a SOURCE names a run: a file that `runs export` wrote, or no file at all but an id.
[[nodiscard]] Result<bool> names_run(const Context& context, const std::string& name);

} // namespace blockloom::cli
