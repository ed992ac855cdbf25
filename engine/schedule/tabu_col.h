// TabuCol (Hertz and de Werra 1987, tenure of Galinier and Hao 1999): all vertices are coloured,
// and the search reduces the number of edges whose ends have the same colour.
#pragma once

#include "schedule/colour_search.h"

namespace blockloom::schedule {

/// One search for a proper colouring with a fixed number of colours.
class TabuCol {
public:
    /// Whether a graph is small enough: scores are 16-bit, and a vertex has 6 bytes for each
    /// colour.
    [[nodiscard]] static bool takes(const ConflictGraph& graph, std::uint32_t colours) {
        return graph.vertices() < tabu && std::size_t{graph.vertices()} * colours <= 32'000'000;
    }

    TabuCol(const ConflictGraph& graph, std::uint32_t colours, std::uint64_t seed);

    /// Restarts from a colouring, proper or not; colours at or above the number are drawn again at
    /// random.
    void start_from(const Colours& colours);
    void start_at_random();

    /// Makes up to `moves` moves. True if the colouring has become proper.
    bool run(std::uint64_t moves, const Limit& limit);

    /// The colouring with the fewest bad edges since the start.
    [[nodiscard]] const Colours& best() const noexcept { return best_; }
    [[nodiscard]] std::uint32_t best_conflicts() const noexcept { return best_conflicts_; }

    /// Moves made so far.
    [[nodiscard]] std::uint64_t moves() const noexcept { return moves_; }

private:
    /// The number of a vertex's neighbours that have a colour, plus `tabu` while that colour is
    /// tabu for it.
    using Score = std::int16_t;
    static constexpr Score tabu = 0x4000;

    struct Move {
        std::uint32_t vertex = 0, colour = 0;
    };

    [[nodiscard]] Score* scores_of(std::uint32_t v) { return score_.data() + v * stride_; }
    void rebuild();
    Move choose();
    void recolour(Move move);
    void bar(std::uint32_t v, std::uint32_t colour);
    void lift_bars();
    void set_conflicting(std::uint32_t v, bool conflicting);

    const ConflictGraph& graph_;
    std::uint32_t n_, k_;
    std::size_t stride_; ///< colours, rounded up to whole vectors; the rest is never chosen
    Chance chance_;
    Colours colour_, best_;
    std::uint32_t conflicts_ = 0, best_conflicts_ = 0; ///< edges
    std::vector<Score> score_;
    std::vector<std::uint32_t> conflicting_,
        place_; ///< vertices with a bad edge, and where they are
    std::uint64_t moves_ = 0;
    std::uint32_t now_ = 0; ///< moves made; may wrap round
    std::vector<std::uint32_t> barred_until_;
    std::vector<std::vector<std::uint32_t>>
        ends_; ///< tabu entries by the move at which they expire, a ring
};

} // namespace blockloom::schedule
