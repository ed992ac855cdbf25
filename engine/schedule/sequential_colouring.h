// First-fit colourings: one pass over the vertices in a fixed order, each taking the lowest colour
// that none of its coloured neighbours has. Linear in the edges.
#pragma once

#include "conflict/conflict_index.h"

#include <cstdint>
#include <vector>

namespace blockloom::schedule {

using conflict::ConflictGraph;

/// First fit in index order. One 0-based colour for each vertex.
[[nodiscard]] std::vector<std::uint32_t> first_fit(const ConflictGraph& graph);

/// First fit in the order given, a permutation of the vertices.
[[nodiscard]] std::vector<std::uint32_t> first_fit(const ConflictGraph& graph,
                                                   const std::vector<std::uint32_t>& order);

/// Degree descending, ties by index (Welsh and Powell 1967: first fit in this order fills the same
/// classes as their class by class procedure).
[[nodiscard]] std::vector<std::uint32_t> largest_first_order(const ConflictGraph& graph);

/// Smallest degree last (Matula and Beck 1983): the last vertex has the smallest degree, the one
/// before it the smallest degree without the last, and so on. Ties go to the vertex that reached
/// its degree last, among unchanged ones to the highest index. First fit in this order uses at most
/// degeneracy + 1 colours.
[[nodiscard]] std::vector<std::uint32_t> smallest_last_order(const ConflictGraph& graph);

/// 1 + the highest colour; 0 for no vertices.
[[nodiscard]] std::uint32_t colours_in(const std::vector<std::uint32_t>& colour);

} // namespace blockloom::schedule
