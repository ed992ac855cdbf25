// What a matrix shows, before it is drawn: the order of tasks, its batches, and the marks. Private
// to the scene room.
#pragma once

#include "scene/layout.h"

#include <cstdint>
#include <stop_token>
#include <utility>
#include <vector>

namespace blockloom::scene::layout {

/// Tasks along both axes. `batch` is what the diagonal blocks are made of; in index order there are
/// none.
struct MatrixAxis {
    std::vector<conflict::TaskId> at; ///< task of each place
    std::vector<std::uint32_t> place; ///< place of each task
    std::vector<std::uint32_t> batch; ///< 0-based, one a task
    std::uint32_t batches = 0;
    bool blocks = false;    ///< batches lie together
    bool colouring = false; ///< batches are colour classes, else levels
};
[[nodiscard]] MatrixAxis matrix_axis(const schedule::BlockAnalysis& analysis, MatrixOrder order);

/// Conflict pairs by their places (column > row: above the diagonal; the other half mirrors it).
/// Where they are too many for single marks, `cells` counts them in squares of `cell` × `cell`
/// places.
struct MatrixMarks {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs; ///< (row, column)
    std::vector<std::pair<std::uint32_t, std::uint32_t>>
        inside;                     ///< those in one batch, at most `most_crosses`
    std::uint64_t inside_count = 0; ///< all of them
    std::uint64_t all = 0;          ///< conflict pairs of the block
    std::uint32_t cell = 0;         ///< places a square's side; 0: single marks
    std::uint32_t cells_a_side = 0;
    std::vector<float> density; ///< row by row, both halves; share of the square's pairs, 0 … 1
    bool cancelled = false;
};

/// Marks of both halves that one list holds at most; crosses likewise.
inline constexpr std::uint32_t most_marks = 57'600, most_crosses = 2'000;

/// A conflict inside a batch contradicts it; under multi-version only where it is a dependency
/// edge, for the model lets the others run together (colour classes hold no pair at all).
[[nodiscard]] MatrixMarks matrix_marks(const schedule::BlockAnalysis& analysis,
                                       const MatrixAxis& axis, std::stop_token stop);

} // namespace blockloom::scene::layout
