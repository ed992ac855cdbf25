#include "schedule/dsatur.h"

#include "schedule/sequential_colouring.h"

#include <algorithm>
#include <bit>

namespace blockloom::schedule {

namespace {

using Vertex = conflict::TaskId;
using Word = std::uint64_t;
constexpr std::uint32_t word_bits = 64;

/// For each saturation the set of uncoloured vertices that have it, as bits by rank (degree
/// descending, then index), so that the first bit is the vertex to take. A vertex of degree d is
/// never in a set above d, and ranks fall with the degree, so set s needs room for the vertices of
/// degree ≥ s only: all sets together take a bit for each end of an edge. Where a set is long, a
/// second row of bits says which words of the first hold anything.
class SaturationSets {
public:
    SaturationSets(const ConflictGraph& graph, const std::vector<std::uint32_t>& order) {
        std::size_t vertices = order.size();
        const std::size_t most = order.empty() ? 0 : graph.of(order[0]).size();
        std::size_t words = 0;
        for (std::size_t s = 0; s <= most; ++s) {
            while (vertices > 0 && graph.of(order[vertices - 1]).size() < s) --vertices;
            const std::size_t row = (vertices + word_bits - 1) / word_bits;
            const std::size_t summary = (row + word_bits - 1) / word_bits;
            sets_.push_back({words, words + row, summary, 0});
            words += row + summary;
        }
        bits_.assign(words, 0);
        for (std::uint32_t rank = 0; rank < order.size(); ++rank) insert(0, rank);
    }

    void insert(std::uint32_t saturation, std::uint32_t rank) {
        Set& set = sets_[saturation];
        const std::uint32_t word = rank / word_bits;
        bits_[set.row + word] |= Word{1} << (rank % word_bits);
        bits_[set.summary + word / word_bits] |= Word{1} << (word % word_bits);
        set.from = std::min(set.from, word / word_bits);
        highest_ = std::max(highest_, saturation);
    }

    void erase(std::uint32_t saturation, std::uint32_t rank) {
        const Set& set = sets_[saturation];
        const std::uint32_t word = rank / word_bits;
        if ((bits_[set.row + word] &= ~(Word{1} << (rank % word_bits))) == 0)
            bits_[set.summary + word / word_bits] &= ~(Word{1} << (word % word_bits));
    }

    struct Found {
        std::uint32_t saturation, rank;
    };
    /// The first rank of the highest set that holds one. There must be one.
    Found first_of_highest() {
        for (;; --highest_) {
            Set& set = sets_[highest_];
            for (; set.from < set.summary_words; ++set.from) {
                const Word summary = bits_[set.summary + set.from];
                if (summary == 0) continue;
                const auto word =
                    set.from * word_bits + static_cast<std::uint32_t>(std::countr_zero(summary));
                const auto bit =
                    static_cast<std::uint32_t>(std::countr_zero(bits_[set.row + word]));
                return {highest_, word * word_bits + bit};
            }
        }
    }

private:
    struct Set {
        std::size_t row, summary, summary_words;
        std::uint32_t from; ///< no summary word before it holds anything
    };
    std::vector<Set> sets_;
    std::vector<Word> bits_;
    std::uint32_t highest_ = 0;
};

/// Which colours the neighbours of each vertex have. The first 64 colours lie beside what else is
/// asked of a vertex; rows of more are made when a colour beyond comes.
class NeighbourColours {
public:
    explicit NeighbourColours(Vertex n) : more_(n) {}

    /// Adds a colour ≥ 64 to u's. True if it is new.
    bool add(Vertex u, std::uint32_t colour) {
        Row& row = more_[u];
        const std::uint32_t word = colour / word_bits - 1;
        if (word >= row.words) grow(row, word + 1);
        Word& bits = pool_[row.begin + word];
        const Word bit = Word{1} << (colour % word_bits);
        const bool is_new = (bits & bit) == 0;
        bits |= bit;
        return is_new;
    }

    /// The lowest colour ≥ 64 that u's neighbours do not have.
    [[nodiscard]] std::uint32_t lowest_free(Vertex u) const {
        const Row& row = more_[u];
        for (std::uint32_t word = 0; word < row.words; ++word) {
            const Word free = ~pool_[row.begin + word];
            if (free != 0)
                return (word + 1) * word_bits + static_cast<std::uint32_t>(std::countr_zero(free));
        }
        return (row.words + 1) * word_bits;
    }

private:
    struct Row {
        std::size_t begin = 0;
        std::uint32_t words = 0;
    };
    void grow(Row& row, std::uint32_t words) {
        const std::uint32_t size = std::max(words, row.words * 2);
        const std::size_t begin = pool_.size();
        pool_.resize(begin + size, 0);
        std::copy_n(pool_.begin() + static_cast<std::ptrdiff_t>(row.begin), row.words,
                    pool_.begin() + static_cast<std::ptrdiff_t>(begin));
        row = {begin, size};
    }
    std::vector<Row> more_;
    std::vector<Word> pool_;
};

} // namespace

std::vector<std::uint32_t> dsatur(const ConflictGraph& graph) {
    const Vertex n = graph.vertices();
    const std::vector<std::uint32_t> order = largest_first_order(graph);
    SaturationSets sets(graph, order);

    struct State {
        Word colours = 0; ///< of the neighbours, the first 64
        std::uint32_t saturation = 0;
        std::uint32_t rank = 0;
    };
    std::vector<State> state(n);
    for (std::uint32_t rank = 0; rank < n; ++rank) state[order[rank]].rank = rank;
    std::vector<std::uint32_t> colour(n, ~std::uint32_t{0});
    NeighbourColours beyond(0);
    bool has_beyond = false;

    for (Vertex coloured = 0; coloured < n; ++coloured) {
        const auto [saturation, rank] = sets.first_of_highest();
        const Vertex v = order[rank];
        sets.erase(saturation, rank);
        const auto raise = [&](State& s) {
            sets.erase(s.saturation, s.rank);
            sets.insert(++s.saturation, s.rank);
        };
        if (~state[v].colours != 0) {
            const auto c = static_cast<std::uint32_t>(std::countr_zero(~state[v].colours));
            const Word bit = Word{1} << c;
            colour[v] = c;
            state[v].colours = ~Word{0}; // a coloured vertex learns nothing more
            for (const Vertex u : graph.of(v)) {
                State& s = state[u];
                if ((s.colours & bit) != 0) continue;
                s.colours |= bit;
                raise(s);
            }
            continue;
        }
        if (!has_beyond) {
            beyond = NeighbourColours(n);
            has_beyond = true;
        }
        const std::uint32_t c = beyond.lowest_free(v);
        colour[v] = c;
        for (const Vertex u : graph.of(v))
            if (colour[u] == ~std::uint32_t{0} && beyond.add(u, c)) raise(state[u]);
    }
    return colour;
}

} // namespace blockloom::schedule
