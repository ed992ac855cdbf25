// Kept runs by name: an id of the workspace, or a file that `runs export` wrote.
#pragma once

#include "command.h"
#include "report/kept_run.h"

namespace blockloom::cli {

/// Error: no such run, or the file is none; the message lists where was looked.
[[nodiscard]] Result<report::KeptRun> find_run(const Context& context, const std::string& name);

} // namespace blockloom::cli
