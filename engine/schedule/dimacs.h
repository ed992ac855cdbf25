// Graphs in the DIMACS colouring format (`.col`): "p edge N M", then "e U V" a line, vertices
// from 1.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "conflict/conflict_index.h"

#include <string>
#include <vector>

namespace blockloom::schedule {

struct DimacsGraph {
    conflict::ConflictGraph graph; ///< vertex i of the file is i - 1
    std::vector<std::string>
        warnings; ///< what was mended: edges listed twice, a wrong edge count …
};

/// A file may name this many vertices whatever its size, and this many a byte beyond: what it makes
/// us allocate stays in proportion to it.
inline constexpr std::uint64_t dimacs_vertices_always = 1'000'000;
inline constexpr std::uint64_t dimacs_vertices_per_byte = 16;

/// Reads a graph. Lines: `c` (comment), `p edge|edges|col N M` (once, before the edges), `e U V`;
/// `n`, `d`, `v` and `x` lines, which the format also knows, are skipped. Edges that are listed
/// several times count once and a wrong M is ignored, each with a warning. Errors name `place`, the
/// line, what was expected and what was found: anything else, a loop, a vertex outside 1 … N, no p
/// line, an absurd N.
[[nodiscard]] Result<DimacsGraph> read_dimacs(ByteView text, const std::string& place);

/// The graph in the same format, each edge once.
[[nodiscard]] std::string write_dimacs(const conflict::ConflictGraph& graph);

} // namespace blockloom::schedule
