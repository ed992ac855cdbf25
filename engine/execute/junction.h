// Where blocks join the chain that a workspace holds: a block is executed only on its parent.
#pragma once

#include "execute/replayer.h"
#include "store/workspace.h"

#include <optional>
#include <span>

namespace blockloom::execute {

/// What is known of the state below the first block of a range, besides what a workspace says.
struct Beginning {
    bool of_chain = false; ///< the block is the first of its chain: an empty state lies below it
    bool declared = false; ///< the user says that a state without blocks is the one below it
};

/// How a range joins the chain.
struct Junction {
    /// The lowest committed block above the range's parent; nothing: the parent is the last one.
    std::optional<std::uint64_t> above;
    bool begins = false; ///< nothing is below: the range begins a chain of its own
};

/// The height of a block as the order of the blocks says, else as the block itself does.
[[nodiscard]] std::optional<std::uint64_t> height_of(const ReplaySource& source) noexcept;

/// "block 960101 (HASH)"; "a block of unknown height (HASH)".
[[nodiscard]] std::string block_text(const std::optional<std::uint64_t>& height,
                                     const Hash256& hash);

/// An error that names both blocks, unless `next` is the child of the block `before`.
[[nodiscard]] Status check_link(const ReplaySource& before, const ReplaySource& next);

/// Finds the parent of `first` in a workspace. Fails where it is not there, and where no block is
/// committed and nobody says that the state is the one below `first`.
[[nodiscard]] Result<Junction> find_junction(const store::Workspace& workspace,
                                             const ReplaySource& first, const Beginning& beginning);

/// The lowest committed block above the state below `first`, which is `first` itself where it is
/// committed; nothing: the state of the workspace is the one. Fails as `find_junction`.
[[nodiscard]] Result<std::optional<std::uint64_t>>
committed_above(const store::Workspace& workspace, const ReplaySource& first,
                const Beginning& beginning);

/// What is said where the state below a block is not there at all, and how to give one.
[[nodiscard]] Error missing_state(const ReplaySource& first);

/// How many of the blocks follow each other without a gap, from the first one.
[[nodiscard]] std::size_t linked_blocks(std::span<const ReplaySource> blocks) noexcept;

} // namespace blockloom::execute
