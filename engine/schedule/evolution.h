// Crosses and improves two colourings in turn (HEAD: Moalic and Gondran 2018): finds fewer colours
// than a single tabu search on large random graphs.
#pragma once

#include "schedule/colour_search.h"

#include <optional>

namespace blockloom::schedule {

/// Searches for a proper colouring with the given number of colours until one is found or the limit
/// is reached. `moves` is the length of each tabu search.
[[nodiscard]] std::optional<Colours> evolve(const ConflictGraph& graph, std::uint32_t colours,
                                            std::uint64_t moves, std::uint64_t seed,
                                            const Limit& limit);

} // namespace blockloom::schedule
