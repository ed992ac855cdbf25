// analyze --follow: the blocks of a node as they come.
#pragma once

#include "command.h"
#include "source_options.h"

namespace blockloom::cli {

/// How to follow; filled by the parser.
struct FollowOptions {
    bool on = false;
    double seconds = 5; ///< between two questions for new blocks
};

/// Analyses each new block of the node that is the only source, from --from (or its last block) on,
/// until --to was analysed or a stop is requested. Reports blocks that another branch replaces.
[[nodiscard]] Result<int> follow_node(SourceOptions& options, const FollowOptions& how, bool json,
                                      const Context& context);

} // namespace blockloom::cli
