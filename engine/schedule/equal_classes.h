// Colourings whose classes all have the same size: found where tabu search sees no slope, as on
// queen graphs and other symmetric ones.
#pragma once

#include "schedule/colour_search.h"

#include <optional>

namespace blockloom::schedule {

/// Searches for a proper colouring with so many classes of equal size: lists the independent sets
/// of that size and covers the vertices with them exactly once (Knuth's dancing links). Nothing
/// where the number of vertices is no multiple of the colours, the sets are too many to list, the
/// limit is reached, or there is no such colouring (others may exist).
[[nodiscard]] std::optional<Colours> equal_classes(const ConflictGraph& graph,
                                                   std::uint32_t colours, const Limit& limit);

} // namespace blockloom::schedule
