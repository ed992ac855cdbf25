// DSATUR for dense graphs, a word of 64 vertices at a time.
#pragma once

#include "conflict/conflict_matrix.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace blockloom::schedule {

/// The colouring that `dsatur` gives the trace's conflict graph. `matrix`: that of the trace, with
/// each task's own number. Each vertex takes at worst its saturation times vertices / 64 steps, a
/// clique one such row in all.
[[nodiscard]] Result<std::vector<std::uint32_t>>
dense_dsatur(const trace::PolicedTrace& trace, const conflict::ConflictMatrix& matrix,
             const std::stop_token& stop = {});

/// Conflict pairs (i, j), i < j, with colour(j) < colour(i), as for a ConflictGraph.
[[nodiscard]] std::uint64_t reordered_pairs(const conflict::ConflictMatrix& matrix,
                                            const std::vector<std::uint32_t>& colour);

} // namespace blockloom::schedule
