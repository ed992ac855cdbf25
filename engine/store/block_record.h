// Blocks as a workspace stores them.
#pragma once

#include "base/bytes.h"
#include "state/block_changes.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace blockloom::store {

/// The last committed block.
struct Tip {
    std::uint64_t height = 0;
    Hash256 hash{};

    bool operator==(const Tip&) const = default;
};

/// The block whose resulting state a workspace without committed blocks holds.
struct Base {
    std::uint64_t height = 0;
    std::optional<Hash256> hash; ///< nothing: only the height is known

    bool operator==(const Base&) const = default;
};

/// A block to commit.
struct BlockCommit {
    std::uint64_t height = 0;
    Hash256 hash{}, previous{};
    /// Sorted by key, as BlockState::changes returns them.
    std::span<const state::Change> changes = {};
    /// Kept with the block; any bytes.
    std::string_view extra = {};
};

/// What is stored about a committed block.
struct BlockRecord {
    std::uint64_t height = 0;
    Hash256 hash{}, previous{}, digest{};
    std::uint64_t keys = 0; ///< changed
    std::optional<std::uint64_t>
        tip_before; ///< the height of the previous tip; nothing: there was none
    std::string extra;
};

} // namespace blockloom::store
