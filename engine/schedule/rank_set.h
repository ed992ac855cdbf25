// A set of small integers that yields its smallest member in constant time: a priority queue whose
// priorities are distinct ranks.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace blockloom::schedule {

/// Integers below a fixed size as bits; rows above them say which words of the row below are
/// non-zero, up to a single word.
class RankSet {
public:
    explicit RankSet(std::size_t size) {
        do {
            size = (size + word_bits - 1) / word_bits;
            rows_.emplace_back(size, 0);
        } while (size > 1);
    }

    [[nodiscard]] bool empty() const noexcept {
        return rows_.back().empty() || rows_.back()[0] == 0;
    }

    void insert(std::uint32_t rank) noexcept {
        for (auto& row : rows_) {
            Word& word = row[rank / word_bits];
            const bool held_any = word != 0;
            word |= Word{1} << (rank % word_bits);
            if (held_any) return;
            rank /= word_bits;
        }
    }

    /// Removes and returns the smallest member. The set must not be empty.
    std::uint32_t take_first() noexcept {
        std::uint32_t rank = 0;
        for (std::size_t row = rows_.size(); row-- > 0;)
            rank =
                rank * word_bits + static_cast<std::uint32_t>(std::countr_zero(rows_[row][rank]));
        std::uint32_t at = rank;
        for (auto& row : rows_) {
            Word& word = row[at / word_bits];
            word &= ~(Word{1} << (at % word_bits));
            if (word != 0) break;
            at /= word_bits;
        }
        return rank;
    }

private:
    using Word = std::uint64_t;
    static constexpr std::uint32_t word_bits = 64;
    std::vector<std::vector<Word>> rows_;
};

} // namespace blockloom::schedule
