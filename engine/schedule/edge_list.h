// Graphs from lists of edges.
#pragma once

#include "conflict/conflict_index.h"

#include <cstdint>
#include <vector>

namespace blockloom::schedule {

/// An undirected edge: two different vertices, in either order.
struct Edge {
    std::uint32_t u, v;
};

/// The graph with these edges; edges that are listed several times, in whichever direction, count
/// once. Both ends of each edge are below `vertices` and differ. Linear in vertices and edges.
[[nodiscard]] conflict::ConflictGraph graph_from_edges(std::uint32_t vertices,
                                                       const std::vector<Edge>& edges);

} // namespace blockloom::schedule
