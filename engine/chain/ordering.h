// The order of blocks that arrived in any order: by previous-hash links, or by height if links are
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

/// What ordering needs to know about a block.
struct ChainLink {
    Hash256 hash{}, previous{};
    std::uint32_t bits = 0;              ///< the compact target: how much work the block represents
    std::optional<std::uint64_t> height; ///< from the block or its container
};

/// A block that is not part of the order, and why.
struct OffChain {
    std::size_t block = 0; ///< index into the input
    bool stale = false;    ///< belongs to a branch with less work; else it is a duplicate
    std::string reason;
};

struct ChainOrder {
    std::vector<std::size_t> order;  ///< indices into the input, first block first
    std::vector<OffChain> off_chain; ///< ascending by index
    /// One for each input block: the height that follows from the links (most given heights of
    /// linked blocks agree on it), else the given height, else nothing.
    std::vector<std::optional<std::uint64_t>> heights;
};

/// Orders blocks. Linked blocks (also siblings whose common parent is missing) compete: the branch
/// with the most work wins, and ties go to the one whose tip was seen first; the others are stale.
/// Groups of blocks that are not linked to each other are ordered by the height of their first
/// block; groups without heights come last, in the order seen. A block seen twice counts once. Time
/// and memory are linear in the blocks, apart from sorting the groups.
[[nodiscard]] ChainOrder order_blocks(std::span<const ChainLink> blocks);

/// The same for listed blocks.
[[nodiscard]] ChainOrder order_blocks(std::span<const BlockRef> blocks);

} // namespace blockloom::chain
