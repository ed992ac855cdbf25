// The content of a matrix before it is drawn: the order of tasks, its batches, and the marks.
// Private to the scene room.
#pragma once

#include "scene/layout.h"

#include <cstdint>
#include <stop_token>
#include <utility>
#include <vector>

namespace blockloom::scene::layout {

/// Tasks along both axes. Diagonal blocks are made of `batch`; in index order there are none.
struct MatrixAxis {
    std::vector<conflict::TaskId> at; ///< task at each position
    std::vector<std::uint32_t> place; ///< position of each task
    std::vector<std::uint32_t> batch; ///< 0-based, one per task
    std::uint32_t batches = 0;
    bool blocks = false;    ///< the tasks of a batch are contiguous
    bool colouring = false; ///< batches are colour classes, else levels
};
[[nodiscard]] MatrixAxis matrix_axis(const schedule::BlockAnalysis& analysis, MatrixOrder order);

/// Conflict pairs by position (column > row: above the diagonal; the other half mirrors it). If
/// there are too many for single marks, they are counted in squares of `cell` × `cell` positions.
struct MatrixMarks {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs; ///< (row, column)
    std::vector<std::pair<std::uint32_t, std::uint32_t>>
        inside;                     ///< pairs inside a batch, at most `most_crosses`
    std::uint64_t inside_count = 0; ///< all of them
    std::uint64_t all = 0;          ///< conflict pairs of the block
    std::uint32_t cell = 0;         ///< positions per side of a square; 0: single marks
    std::uint32_t cells_a_side = 0;
    std::vector<float> density; ///< row by row, both halves; share of the square's pairs, 0 … 1
    bool cancelled = false;
};

/// Most marks of both halves in a list; most crosses.
inline constexpr std::uint32_t most_marks = 57'600, most_crosses = 2'000;

/// A conflict inside a batch contradicts it; under multi-version only if it is a dependency edge,
/// because the model lets the others run together (colour classes contain no pair at all).
[[nodiscard]] MatrixMarks matrix_marks(const schedule::BlockAnalysis& analysis,
                                       const MatrixAxis& axis, std::stop_token stop);

} // namespace blockloom::scene::layout
