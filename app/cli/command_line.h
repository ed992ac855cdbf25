// The whole command line: global options and every command.
#pragma once

#include "command.h"

#include <vector>

namespace blockloom::cli {

/// Adds all options to `app`; options before the command's name are read into `context`.
[[nodiscard]] std::vector<Command> add_commands(CLI::App& app, Context& context);

} // namespace blockloom::cli
