// Keys ranked by what they cost (docs/definitions.md#key-contention).
#pragma once

#include "conflict/conflict_index.h"

#include <vector>

namespace blockloom::conflict {

/// A task that reads and writes the key is a reader and a writer. The pairs follow from how many
/// touch the key and how; for a commutative key they are its pure readers times its updaters.
/// `gain_if_relaxed` is of the index' model and costs.
struct KeyContention {
    KeyId key = 0;
    std::uint32_t readers = 0, writers = 0;
    std::uint64_t conflict_pairs = 0; ///< pairs that this key alone or partly causes
    double gain_if_relaxed = 1;       ///< parallelism without this key's conflicts / with them
};

/// The `most` keys with the most conflict pairs (ties: lowest id), ranked so; keys without a pair
/// are left out. Each gain costs one pass over the accesses at most.
[[nodiscard]] Result<std::vector<KeyContention>>
contention(const ConflictIndex& index, std::size_t most, std::stop_token stop = {});

} // namespace blockloom::conflict
