#include "schedule/clique.h"

#include "schedule/adjacency_bits.h"
#include "schedule/sequential_colouring.h"

#include <algorithm>
#include <bit>

namespace blockloom::schedule {

namespace {

using Vertices = std::vector<std::uint32_t>;
using Word = AdjacencyBits::Word;
using Set = std::vector<Word>;

constexpr std::uint64_t most_branches = 50'000;

/// Relabels by `order`: vertex i of the result is order[i].
ConflictGraph relabelled(const ConflictGraph& graph, const Vertices& order) {
    std::vector<std::uint32_t> place(order.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
    ConflictGraph result;
    result.begin.reserve(order.size() + 1);
    result.neighbours.reserve(graph.neighbours.size());
    for (const std::uint32_t v : order) {
        for (const std::uint32_t u : graph.of(v)) result.neighbours.push_back(place[u]);
        result.begin.push_back(result.neighbours.size());
    }
    return result;
}

class BranchAndBound {
public:
    BranchAndBound(const ConflictGraph& graph, const Limit& limit)
        : adjacency_(graph), limit_(limit) {}

    Vertices run(std::uint32_t vertices) {
        Set all(adjacency_.words(), 0);
        for (std::uint32_t v = 0; v < vertices; ++v) all[v / 64] |= Word{1} << (v % 64);
        extend(all);
        return best_;
    }

private:
    /// Candidates in the order of a greedy colouring: those with colour c close a clique of c more
    /// vertices at most.
    struct Bounded {
        Vertices vertices, bound;
    };
    [[nodiscard]] Bounded bounds(Set left) const {
        Bounded result;
        Set free;
        for (std::uint32_t colour = 1;; ++colour) {
            free = left;
            bool any = false;
            for (std::size_t i = 0; i < free.size(); ++i) {
                while (free[i] != 0) {
                    any = true;
                    const auto v = static_cast<std::uint32_t>(i) * 64 +
                                   static_cast<std::uint32_t>(std::countr_zero(free[i]));
                    result.vertices.push_back(v);
                    result.bound.push_back(colour);
                    free[i] &= free[i] - 1;
                    left[i] &= ~(Word{1} << (v % 64));
                    const auto row = adjacency_.of(v);
                    for (std::size_t j = i; j < free.size(); ++j) free[j] &= ~row[j];
                }
            }
            if (!any) return result;
        }
    }

    void extend(Set candidates) {
        if (++branches_ > most_branches || (branches_ % 256 == 0 && limit_.reached())) {
            over_ = true;
            return;
        }
        const Bounded order = bounds(candidates);
        for (std::size_t i = order.vertices.size(); i-- > 0 && !over_;) {
            if (clique_.size() + order.bound[i] <= best_.size()) return;
            const std::uint32_t v = order.vertices[i];
            clique_.push_back(v);
            if (clique_.size() > best_.size()) best_ = clique_;
            Set next = candidates;
            const auto row = adjacency_.of(v);
            for (std::size_t j = 0; j < next.size(); ++j) next[j] &= row[j];
            extend(std::move(next));
            clique_.pop_back();
            candidates[v / 64] &= ~(Word{1} << (v % 64));
        }
    }

    AdjacencyBits adjacency_;
    const Limit& limit_;
    Vertices clique_, best_;
    std::uint64_t branches_ = 0;
    bool over_ = false;
};

/// Takes the neighbour of the highest degree again and again, from each of some vertices of high
/// degree.
Vertices by_degree(const ConflictGraph& graph, const Limit& limit) {
    Vertices best;
    const Vertices order = largest_first_order(graph);
    for (std::size_t i = 0; i < std::min<std::size_t>(order.size(), 64); ++i) {
        if (limit.reached()) break;
        Vertices clique{order[i]};
        Vertices candidates(graph.of(order[i]).begin(), graph.of(order[i]).end());
        while (!candidates.empty()) {
            const std::uint32_t v = *std::max_element(
                candidates.begin(), candidates.end(), [&](std::uint32_t a, std::uint32_t b) {
                    return graph.of(a).size() < graph.of(b).size();
                });
            clique.push_back(v);
            Vertices common;
            std::set_intersection(candidates.begin(), candidates.end(), graph.of(v).begin(),
                                  graph.of(v).end(), std::back_inserter(common));
            candidates = std::move(common);
        }
        if (clique.size() > best.size()) best = std::move(clique);
    }
    return best;
}

} // namespace

Vertices large_clique(const ConflictGraph& graph, const Limit& limit) {
    if (graph.vertices() > AdjacencyBits::most_vertices) return by_degree(graph, limit);
    // Smallest last first: the colour bounds are tightest so.
    const Vertices order = smallest_last_order(graph);
    Vertices clique = BranchAndBound(relabelled(graph, order), limit).run(graph.vertices());
    for (std::uint32_t& v : clique) v = order[v];
    return clique;
}

} // namespace blockloom::schedule
