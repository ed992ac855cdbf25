// Places that can be followed while others write to them: nodes, and databases of indexers.
#pragma once

#include "node/block_node.h"
#include "range/range.h"

#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

namespace blockloom::range {

/// Whether a source is a node or the database of an indexer ("metashrew:DIR").
[[nodiscard]] bool can_be_followed(std::string_view source) noexcept;

/// Opens the only source of a range to be followed. A database shows at each question for its tip
/// what was written to it since; its address is its folder. With `options.state` at the same place
/// its label, fork and access apply.
[[nodiscard]] Result<std::unique_ptr<node::BlockNode>>
open_followed_source(const RangeOptions& options);

/// The indexer that has the state before the blocks, and that may lag behind them; null: there is
/// none, or it is the source itself.
[[nodiscard]] Result<std::unique_ptr<node::BlockNode>>
open_followed_state(const RangeOptions& options);

/// Why the indexer cannot give the state before `block` yet: it has not come that far, or has
/// another branch; empty: it can. `recorded`: what it recorded of the block itself is needed, too.
[[nodiscard]] Result<std::string> why_no_state_yet(const node::BlockNode& indexer,
                                                   const node::BlockNode& blocks,
                                                   const node::NodeBlock& block, bool recorded,
                                                   const std::stop_token& stop);

} // namespace blockloom::range
