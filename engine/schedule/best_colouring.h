// The fewest colours found within a time budget: tabu search, starting from DSATUR's.
#pragma once

#include "conflict/conflict_index.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace blockloom::schedule {

using conflict::ConflictGraph;

/// The best proper colouring found within `seconds` or until `stop`; never worse than DSATUR's.
/// Ends early if a clique proves that fewer colours are impossible.
[[nodiscard]] std::vector<std::uint32_t> best_colouring(const ConflictGraph& graph, double seconds,
                                                        std::stop_token stop);

} // namespace blockloom::schedule
