// A large clique: no proper colouring has fewer colours than it has vertices.
#pragma once

#include "schedule/colour_search.h"

namespace blockloom::schedule {

/// A clique that is large, and often the largest: branch and bound with colour bounds (Tomita and
/// Seki 2003) for a bounded number of steps on graphs of up to AdjacencyBits::most_vertices
/// vertices; by degree from a few starts on larger ones.
[[nodiscard]] std::vector<std::uint32_t> large_clique(const ConflictGraph& graph,
                                                      const Limit& limit);

} // namespace blockloom::schedule
