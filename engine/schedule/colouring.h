// Proper colourings of undirected graphs: fewer batches than levels, but only useful to someone who
// may choose the order.
#pragma once

#include "base/clock.h"
#include "conflict/conflict_index.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

namespace blockloom::schedule {

enum class Algorithm : std::uint8_t { greedy, welsh_powell, smallest_last, dsatur, best };

/// The command line's name ("welsh-powell"), and back.
[[nodiscard]] std::string_view name_of(Algorithm algorithm);
[[nodiscard]] std::optional<Algorithm> algorithm_named(std::string_view name);

struct Colouring {
    Algorithm algorithm = Algorithm::dsatur;
    std::uint32_t colours = 0;
    std::vector<std::uint32_t> colour; ///< 0-based, one per vertex
    Nanoseconds time_ns = 0;
};

/// Colours a graph. `seconds` bounds `best` (tabu search, starting from DSATUR's colouring); the
/// others ignore it. `stop` ends `best` early with the best colouring so far. Deterministic except
/// for `best`, which depends on the time it has.
[[nodiscard]] Colouring colour(const conflict::ConflictGraph& graph, Algorithm algorithm,
                               double seconds = 10.0, std::stop_token stop = {});

[[nodiscard]] bool is_proper(const conflict::ConflictGraph& graph,
                             const std::vector<std::uint32_t>& colour);

/// Conflict pairs (i, j), i < j, with colour(j) < colour(i): executing classes in order would run j
/// before i.
[[nodiscard]] std::uint64_t reordered_pairs(const conflict::ConflictGraph& graph,
                                            const std::vector<std::uint32_t>& colour);

} // namespace blockloom::schedule
