// Keys ranked by contention (docs/definitions.md#key-contention).
#pragma once

#include "conflict/conflict_index.h"

#include <vector>

namespace blockloom::conflict {

/// A task that reads and writes the key is a reader and a writer. The number of pairs follows from
/// how many tasks access the key, and how; for a commutative key they are its pure readers times
/// its updaters. `gain_if_relaxed` uses the index's model and costs.
struct KeyContention {
    KeyId key = 0;
    std::uint32_t readers = 0, writers = 0;
    std::uint64_t conflict_pairs = 0; ///< pairs that this key causes, alone or with other keys
    double gain_if_relaxed = 1;       ///< parallelism without this key's conflicts / with them
};

/// The `most` keys with the most conflict pairs, in that order (ties: lowest id); keys without a
/// pair are left out. Each gain costs at most one pass over the accesses.
[[nodiscard]] Result<std::vector<KeyContention>>
contention(const ConflictIndex& index, std::size_t most, std::stop_token stop = {});

} // namespace blockloom::conflict
