// --follow of analyze and replay: the blocks of a node as they come.
#pragma once

#include "command.h"
#include "range/followed_chain.h"
#include "range/range.h"
#include "source_options.h"

#include <optional>
#include <string>
#include <string_view>

namespace blockloom::cli {

/// How to follow; filled by the parser.
struct FollowOptions {
    bool on = false;
    double seconds = 5; ///< between two questions for new blocks

    /// Adds --follow, described by `words`, and --follow-interval; returns the first.
    CLI::Option* add_to(CLI::App& command, const std::string& words);
};

/// What is followed.
struct Followed {
    const range::RangeOptions& range; ///< its only source, and the state before its blocks
    std::optional<std::uint64_t> first{}, last{}; ///< heights; no first: the last block there is
    bool recorded = false;                        ///< needs what the indexer recorded of each block
};

/// Follows the source until `last` was added, an event fails, or a stop is requested (an error).
/// Waits while the indexer with the state has not come that far. Fills all events but `added` and
/// `removed`.
[[nodiscard]] Status follow_source(const Followed& what, const FollowOptions& how,
                                   range::ChainEvents events, const Context& context);

/// A line about a block that another branch has replaced, as text or as a document.
Status print_removed(const node::NodeBlock& block, bool json);
/// A document about a new block: `document`, which may be indented, stands on one line as `name`.
Status print_added(const node::NodeBlock& block, std::string_view name,
                   const std::string& document);

/// Analyses each new block of the only source, from --from (or its last block) on.
[[nodiscard]] Result<int> follow_node(SourceOptions& options, const FollowOptions& how, bool json,
                                      const Context& context);

} // namespace blockloom::cli
