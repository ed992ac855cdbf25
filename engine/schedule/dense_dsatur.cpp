#include "schedule/dense_dsatur.h"

#include "schedule/sequential_colouring.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace blockloom::schedule {
namespace {

using conflict::ConflictMatrix;
using Word = ConflictMatrix::Word;
using Row = std::vector<Word>;
constexpr std::size_t word_bits = ConflictMatrix::word_bits;

constexpr Word bit_of(std::uint32_t rank) noexcept {
    return Word{1} << (rank % word_bits);
}

/// Degree descending, ties by index: as largest_first_order.
std::vector<std::uint32_t> order_of(const ConflictMatrix& matrix) {
    std::vector<std::uint32_t> degrees;
    for (std::uint32_t v = 0; v < matrix.vertices(); ++v) degrees.push_back(matrix.degree(v));
    std::vector<std::uint32_t> order(matrix.vertices());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(
        order, [&](std::uint32_t a, std::uint32_t b) { return degrees[a] > degrees[b]; });
    return order;
}

/// Vertices without a colour by the number of colours that their neighbours have. All vertices are
/// given by their ranks, so that the first bit of the last row that has any is the one to take.
class Uncoloured {
public:
    explicit Uncoloured(std::uint32_t vertices)
        : words_((vertices + word_bits - 1) / word_bits), all_(words_, ~Word{0}), rows_(1, all_) {
        if (vertices % word_bits != 0) all_.back() = bit_of(vertices) - 1;
        rows_.front() = all_;
    }

    struct Taken {
        std::uint32_t rank, saturation;
    };
    /// There must be one.
    Taken take() {
        std::size_t word = 0;
        for (;; --highest_) {
            const Row& row = rows_[highest_];
            for (word = 0; word < words_ && row[word] == 0;) ++word;
            if (word < words_) break;
        }
        const Word first = rows_[highest_][word] & (~rows_[highest_][word] + 1);
        rows_[highest_][word] ^= first;
        all_[word] ^= first;
        return {static_cast<std::uint32_t>(word * word_bits) +
                    static_cast<std::uint32_t>(std::countr_zero(first)),
                highest_};
    }

    /// `neighbours` have one of a colour now; `had_one`: those that had one of it before.
    void raise(std::span<const Word> neighbours, const Row& had_one) {
        Word any = 0;
        Row& left = raised_;
        left.resize(words_);
        for (std::size_t i = 0; i < words_; ++i)
            any |= left[i] = neighbours[i] & all_[i] & ~had_one[i];
        if (any != 0 && highest_ + std::size_t{1} == rows_.size()) {
            rows_.emplace_back(words_);
            holds_any_.push_back(0);
        }
        // The highest first: none is raised twice.
        const std::uint32_t highest = highest_;
        for (std::uint32_t at = highest + 1; at-- > 0 && any != 0;) {
            if (holds_any_[at] == 0) continue;
            Row &from = rows_[at], &to = rows_[at + std::size_t{1}];
            Word any_moved = 0, any_stays = 0;
            any = 0;
            for (std::size_t i = 0; i < words_; ++i) {
                const Word moved = from[i] & left[i];
                any_moved |= moved;
                any_stays |= from[i] ^= moved;
                to[i] |= moved;
                any |= left[i] ^= moved;
            }
            holds_any_[at] = any_stays;
            holds_any_[at + std::size_t{1}] |= any_moved;
            if (at == highest && any_moved != 0) ++highest_;
        }
    }

private:
    std::size_t words_;
    Row all_;
    std::vector<Row> rows_;          ///< by saturation
    std::vector<Word> holds_any_{1}; ///< of the same: 0 if the row holds none
    Row raised_;
    std::uint32_t highest_ = 0; ///< no row above it has any
};

} // namespace

Result<std::vector<std::uint32_t>> dense_dsatur(const trace::PolicedTrace& trace,
                                                const ConflictMatrix& matrix,
                                                const std::stop_token& stop) {
    const std::vector<std::uint32_t> order = order_of(matrix);
    std::vector<std::uint32_t> ranks(order.size());
    for (std::uint32_t rank = 0; rank < order.size(); ++rank) ranks[order[rank]] = rank;
    const auto by_rank = conflict::conflict_matrix(trace, ranks, stop);
    if (!by_rank) return by_rank.error();

    Uncoloured uncoloured(matrix.vertices());
    std::vector<Row> has_neighbour; // by colour: vertices, by rank
    std::vector<std::uint32_t> colour(order.size());
    for (std::size_t coloured = 0; coloured < order.size(); ++coloured) {
        if (coloured % word_bits == 0 && stop.stop_requested()) return cancelled_error();
        const auto [rank, saturation] = uncoloured.take();
        // If its neighbours have all colours, it takes a new one.
        std::uint32_t lowest = 0;
        if (saturation == has_neighbour.size())
            lowest = saturation;
        else
            while ((has_neighbour[lowest][rank / word_bits] & bit_of(rank)) != 0) ++lowest;
        if (lowest == has_neighbour.size()) has_neighbour.emplace_back(matrix.words());
        colour[order[rank]] = lowest;
        Row& of_colour = has_neighbour[lowest];
        const std::span<const Word> neighbours = by_rank->of(rank);
        uncoloured.raise(neighbours, of_colour);
        for (std::size_t i = 0; i < of_colour.size(); ++i) of_colour[i] |= neighbours[i];
    }
    return colour;
}

std::uint64_t reordered_pairs(const ConflictMatrix& matrix,
                              const std::vector<std::uint32_t>& colour) {
    std::vector<std::vector<std::uint32_t>> classes(colours_in(colour));
    for (std::uint32_t v = 0; v < colour.size(); ++v) classes[colour[v]].push_back(v);
    Row above(matrix.words()); // vertices with a higher colour
    std::uint64_t pairs = 0;
    for (auto of_colour = classes.rbegin(); of_colour != classes.rend(); ++of_colour) {
        for (const std::uint32_t v : *of_colour) {
            const std::span<const Word> neighbours = matrix.of(v);
            const std::size_t last = v / word_bits; // only earlier ones
            for (std::size_t i = 0; i < last; ++i)
                pairs += static_cast<std::uint64_t>(std::popcount(neighbours[i] & above[i]));
            pairs += static_cast<std::uint64_t>(
                std::popcount(neighbours[last] & above[last] & (bit_of(v) - 1)));
        }
        for (const std::uint32_t v : *of_colour) above[v / word_bits] |= bit_of(v);
    }
    return pairs;
}

} // namespace blockloom::schedule
