// The options of sources that are nodes.
#pragma once

#include "command.h"
#include "range/range.h"

namespace blockloom::cli {

/// Adds --node-credentials and --node-ca, which fill in `range.nodes`; `range` must live as long as
/// the parser's callbacks.
void add_node_options(CLI::App& command, range::RangeOptions& range);

} // namespace blockloom::cli
