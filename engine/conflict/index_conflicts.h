// Builds the conflict index of a trace.
#pragma once

#include "conflict/conflict_index.h"

namespace blockloom::conflict {

/// Builds the index. Linear in the accesses, except for the exact pairs (a row at a time, O(tasks)
/// memory); `stop` is checked between rows. Fails on invalid access sets (a key id out of range,
/// descending `begin`), on too many edges, and on costs whose sum is not below 2^63.
[[nodiscard]] Result<ConflictIndex>
index_conflicts(std::shared_ptr<const trace::PolicedTrace> trace, ConflictModel model,
                std::stop_token stop = {});

/// The same without the exact pairs (`pairs` stays 0): linear, for traces of tens of millions of
/// accesses.
[[nodiscard]] Result<ConflictIndex>
index_without_pairs(std::shared_ptr<const trace::PolicedTrace> trace, ConflictModel model,
                    std::stop_token stop = {});

} // namespace blockloom::conflict
