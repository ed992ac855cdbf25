// All conflict pairs of a trace as rows of bits. In a dense block, such as one whose tasks all
// count up the same key, they take a small part of the memory and time of adjacency lists.
#pragma once

#include "conflict/conflict_index.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace blockloom::conflict {

/// Symmetric, no loops; vertices² / 8 bytes. Immutable once made.
class ConflictMatrix {
public:
    using Word = std::uint64_t;
    static constexpr std::size_t word_bits = 64;

    /// Whether rows of bits take less memory than lists of so many pairs would, and not too much.
    [[nodiscard]] static bool is_worthwhile(TaskId vertices, std::uint64_t pairs) noexcept {
        constexpr TaskId most_vertices = 16'384; // 32 MiB
        return vertices <= most_vertices && pairs * word_bits > std::uint64_t{vertices} * vertices;
    }

    [[nodiscard]] TaskId vertices() const noexcept { return vertices_; }
    [[nodiscard]] std::size_t words() const noexcept { return words_; } ///< of a row
    [[nodiscard]] std::span<const Word> of(TaskId vertex) const noexcept {
        return std::span(rows_).subspan(vertex * words_, words_);
    }
    /// The number of vertices that it has conflicts with.
    [[nodiscard]] std::uint32_t degree(TaskId vertex) const noexcept;

private:
    friend class MatrixBuilder;

    explicit ConflictMatrix(TaskId vertices)
        : vertices_(vertices), words_((vertices + word_bits - 1) / word_bits),
          rows_(vertices * words_) {}

    TaskId vertices_;
    std::size_t words_;
    std::vector<Word> rows_;
};

/// All conflict pairs of a trace, the same as in conflict_graph. `vertex_of`: the row and the
/// column of each task, a permutation; empty: its own number. Time is at worst the number of
/// accesses to shared keys times tasks / 64.
[[nodiscard]] Result<ConflictMatrix> conflict_matrix(const trace::PolicedTrace& trace,
                                                     std::span<const TaskId> vertex_of,
                                                     const std::stop_token& stop = {});

} // namespace blockloom::conflict
