// Colourings whose classes all have the same size: they exist where tabu search finds no gradient,
// as on queen graphs and other symmetric ones.
#pragma once

#include "schedule/colour_search.h"

#include <optional>

namespace blockloom::schedule {

/// Searches for a proper colouring with the given number of classes of equal size: lists the
/// independent sets of that size and covers the vertices with them exactly once (Knuth's dancing
/// links). Nothing if the number of vertices is not a multiple of the colours, if there are too
/// many sets to list, if the limit is reached, or if there is no such colouring (others may exist).
[[nodiscard]] std::optional<Colours> equal_classes(const ConflictGraph& graph,
                                                   std::uint32_t colours, const Limit& limit);

} // namespace blockloom::schedule
