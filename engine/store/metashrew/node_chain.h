// The value of a key at a height, from the chain of its entries. Only included by this room's
// sources.
#pragma once

#include "store/metashrew/layout.h"
#include "store/metashrew/node_files.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace blockloom::store {

/// What a lookup found.
struct ChainValue {
    std::optional<std::string> value; ///< an empty one is none
    bool in_order = true;             ///< heights do not decrease along the chain, as far as seen
};

/// What else a lookup needs to know about a database.
struct ChainRules {
    NodeLayout layout = NodeLayout::v9;
    /// v9_hashes: whether the block that wrote an entry is on the chain.
    std::function<Result<bool>(const ChainEntry&)> is_valid;
};

/// Why a lookup failed: entries that are missing below the length of a chain are there again after
/// a rollback has finished.
struct ChainFailure {
    Error error;
    bool inconsistent = false;
};

/// The value of the physical chain of `key` after block `height`: its last entry whose height is
/// not above. A binary search, as heights increase along a chain. A rollback of the indexer may
/// have left entries of blocks that are gone, so the neighbourhood of what it finds is compared; if
/// heights decrease there, the chain is searched from its end.
[[nodiscard]] std::variant<ChainValue, ChainFailure> find_in_chain(const NodeFiles& files,
                                                                   const ChainRules& rules,
                                                                   std::string_view key,
                                                                   std::uint64_t height);

} // namespace blockloom::store
