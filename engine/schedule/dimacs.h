// Graphs in the DIMACS colouring format (`.col`): "p edge N M", then one "e U V" a line, vertices
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
        warnings; ///< what was corrected: edges listed twice, a wrong edge count …
};

/// A file may declare this many vertices whatever its size, and this many more for each byte: so
/// what it makes us allocate stays in proportion to its size.
inline constexpr std::uint64_t dimacs_vertices_always = 1'000'000;
inline constexpr std::uint64_t dimacs_vertices_per_byte = 16;

/// Reads a graph. Lines: `c` (comment), `p edge|edges|col N M` (once, before the edges), `e U V`;
/// `n`, `d`, `v` and `x` lines, which the format also has, are skipped. Edges that are listed
/// several times count once and a wrong M is ignored, each with a warning. Anything else is an
/// error, as are a loop, a vertex outside 1 … N, a missing p line and an absurd N; the error names
/// `place`, the line, what was expected and what was found.
[[nodiscard]] Result<DimacsGraph> read_dimacs(ByteView text, const std::string& place);

/// The graph in the same format, each edge once.
[[nodiscard]] std::string write_dimacs(const conflict::ConflictGraph& graph);

} // namespace blockloom::schedule
