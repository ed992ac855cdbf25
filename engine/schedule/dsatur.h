// DSATUR (Brélaz 1979): the vertex whose neighbours have the most different colours goes next.
#pragma once

#include "conflict/conflict_index.h"

#include <cstdint>
#include <vector>

namespace blockloom::schedule {

using conflict::ConflictGraph;

/// Plain DSATUR: highest saturation, then highest degree in the whole graph, then lowest index;
/// each vertex takes the lowest colour that none of its neighbours has. Memory: two bits an edge,
/// 24 bytes a vertex and a bit for each colour that a vertex meets.
[[nodiscard]] std::vector<std::uint32_t> dsatur(const ConflictGraph& graph);

} // namespace blockloom::schedule
