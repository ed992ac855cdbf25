// Where blocks continue the chain that a workspace holds: a block is only executed on its parent.
#pragma once

#include "execute/replayer.h"
#include "store/workspace.h"

#include <optional>
#include <span>

namespace blockloom::execute {

/// What is known about the state before the first block of a range, besides what a workspace
/// records.
struct Beginning {
    bool of_chain = false; ///< the block is the first of its chain: the state before it is empty
    bool declared = false; ///< the user declared that a state without blocks is the one before it
};

/// How a range continues the chain.
struct Junction {
    /// The lowest committed block above the range's parent; nothing: the parent is the last one.
    std::optional<std::uint64_t> above;
    bool begins = false; ///< there is nothing below: the range starts a new chain
};

/// The height of a block by the order of the blocks, else by the block itself.
[[nodiscard]] std::optional<std::uint64_t> height_of(const ReplaySource& source) noexcept;

/// "block 960101 (HASH)"; "a block of unknown height (HASH)".
[[nodiscard]] std::string block_text(const std::optional<std::uint64_t>& height,
                                     const Hash256& hash);

/// An error that names both blocks, unless `next` is the child of the block `before`.
[[nodiscard]] Status check_link(const ReplaySource& before, const ReplaySource& next);

/// Finds the parent of `first` in a workspace. Fails if it is missing, or if no block is committed
/// and the state was not declared to be the one before `first`.
[[nodiscard]] Result<Junction> find_junction(const store::Workspace& workspace,
                                             const ReplaySource& first, const Beginning& beginning);

/// The lowest committed block above the state before `first`, which is `first` itself if it is
/// committed; nothing: the workspace's current state is the one before it. Fails as
/// `find_junction`.
[[nodiscard]] Result<std::optional<std::uint64_t>>
committed_above(const store::Workspace& workspace, const ReplaySource& first,
                const Beginning& beginning);

/// The error if there is no state before a block at all; it says how to provide one.
[[nodiscard]] Error missing_state(const ReplaySource& first);

/// How many of the blocks follow each other without a gap, from the first one.
[[nodiscard]] std::size_t linked_blocks(std::span<const ReplaySource> blocks) noexcept;

} // namespace blockloom::execute
