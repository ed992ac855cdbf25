// A graph's adjacency as rows of bits: set operations on neighbourhoods, a word of 64 vertices at a
// time.
#pragma once

#include "conflict/conflict_index.h"

#include <cstdint>
#include <span>
#include <vector>

namespace blockloom::schedule {

class AdjacencyBits {
public:
    using Word = std::uint64_t;
    /// Above this many vertices, rows of bits cost more than they gain (2 MiB in all).
    static constexpr std::uint32_t most_vertices = 4096;

    explicit AdjacencyBits(const conflict::ConflictGraph& graph)
        : words_((graph.vertices() + 63) / 64), rows_(graph.vertices() * words_) {
        for (std::uint32_t v = 0; v < graph.vertices(); ++v)
            for (const std::uint32_t u : graph.of(v))
                rows_[v * words_ + u / 64] |= Word{1} << (u % 64);
    }

    [[nodiscard]] std::size_t words() const noexcept { return words_; }
    [[nodiscard]] std::span<const Word> of(std::uint32_t v) const noexcept {
        return std::span(rows_).subspan(v * words_, words_);
    }
    [[nodiscard]] bool adjacent(std::uint32_t v, std::uint32_t u) const noexcept {
        return (rows_[v * words_ + u / 64] >> (u % 64) & 1) != 0;
    }
    void remove(std::uint32_t v) noexcept {
        for (std::size_t u = 0; u < rows_.size() / words_; ++u)
            rows_[u * words_ + v / 64] &= ~(Word{1} << (v % 64));
        for (std::size_t i = 0; i < words_; ++i) rows_[v * words_ + i] = 0;
    }

private:
    std::size_t words_;
    std::vector<Word> rows_;
};

} // namespace blockloom::schedule
