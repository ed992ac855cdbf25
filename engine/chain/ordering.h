// The order of blocks that arrived in any order: by previous-hash links, by height where links are
// missing.
#pragma once

#include "base/bytes.h"
#include "chain/block_source.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace blockloom::chain {

/// What ordering needs to know of a block.
struct ChainLink {
    Hash256 hash{}, previous{};
    std::uint32_t bits = 0; ///< the target, compact: how much work the block stands for
    std::optional<std::uint64_t> height; ///< told by the block or its container
};

/// A block that is not part of the order, and why.
struct OffChain {
    std::size_t block = 0; ///< index into the input
    bool stale = false;    ///< of a branch with less work; else a duplicate
    std::string reason;
};

struct ChainOrder {
    std::vector<std::size_t> order;  ///< indices into the input, first block first
    std::vector<OffChain> off_chain; ///< ascending by index
    /// One a block of the input: what the links say (most told heights of linked blocks agree on
    /// it), else what was told, else nothing.
    std::vector<std::optional<std::uint64_t>> heights;
};

/// Orders blocks. Linked blocks (also siblings whose common parent is missing) compete: the branch
/// with the most work wins, ties go to the one whose tip was seen first; the rest is stale. Groups
/// of blocks without a link between them follow each other by the height of their first block,
/// groups without heights last, as they were seen. A block seen twice counts once. Time and memory
/// are linear in the blocks, apart from sorting the groups.
[[nodiscard]] ChainOrder order_blocks(std::span<const ChainLink> blocks);

/// The same for listed blocks.
[[nodiscard]] ChainOrder order_blocks(std::span<const BlockRef> blocks);

} // namespace blockloom::chain
