#include "schedule/equal_classes.h"

#include "schedule/adjacency_bits.h"
#include "schedule/exact_cover.h"

#include <bit>

namespace blockloom::schedule {

namespace {

using Vertices = std::vector<std::uint32_t>;
using Word = AdjacencyBits::Word;
using Set = std::vector<Word>;

constexpr std::size_t most_items = 2'000'000; ///< in all listed sets together

/// Lists all independent sets of one size. A greedy cover of the candidates by cliques bounds how
/// many of them an independent set can hold: one a clique.
class IndependentSets {
public:
    IndependentSets(const ConflictGraph& graph, std::uint32_t size, const Limit& limit)
        : adjacency_(graph), size_(size), limit_(limit) {
        Set all(adjacency_.words(), 0);
        for (std::uint32_t v = 0; v < graph.vertices(); ++v) all[v / 64] |= Word{1} << (v % 64);
        extend(std::move(all));
    }

    [[nodiscard]] bool complete() const noexcept { return !over_; }
    /// One after the other, `size` vertices each.
    [[nodiscard]] const Vertices& listed() const noexcept { return listed_; }

private:
    struct Bounded {
        Vertices vertices, bound; ///< of the first i vertices at most bound[i - 1] are independent
    };
    [[nodiscard]] Bounded bounds(Set left) const {
        Bounded result;
        Set clique;
        for (std::uint32_t cliques = 1;; ++cliques) {
            clique = left;
            bool any = false;
            for (std::size_t i = 0; i < clique.size(); ++i)
                while (clique[i] != 0) {
                    any = true;
                    const auto bit = static_cast<std::uint32_t>(std::countr_zero(clique[i]));
                    const auto v = static_cast<std::uint32_t>(i) * 64 + bit;
                    result.vertices.push_back(v);
                    result.bound.push_back(cliques);
                    left[i] &= ~(Word{1} << bit);
                    const auto row = adjacency_.of(v);
                    for (std::size_t j = i; j < clique.size(); ++j) clique[j] &= row[j];
                }
            if (!any) return result;
        }
    }

    void extend(Set candidates) {
        if (set_.size() == size_) {
            listed_.insert(listed_.end(), set_.begin(), set_.end());
            over_ = over_ || listed_.size() > most_items;
            return;
        }
        if (++steps_ % 256 == 0 && limit_.reached()) over_ = true;
        const Bounded order = bounds(candidates);
        for (std::size_t i = order.vertices.size(); i-- > 0 && !over_;) {
            if (set_.size() + order.bound[i] < size_) return;
            const std::uint32_t v = order.vertices[i];
            candidates[v / 64] &= ~(Word{1} << (v % 64));
            Set next = candidates;
            const auto row = adjacency_.of(v);
            for (std::size_t j = 0; j < next.size(); ++j) next[j] &= ~row[j];
            set_.push_back(v);
            extend(std::move(next));
            set_.pop_back();
        }
    }

    AdjacencyBits adjacency_;
    std::uint32_t size_;
    const Limit& limit_;
    Vertices set_, listed_;
    std::uint64_t steps_ = 0;
    bool over_ = false;
};

} // namespace

std::optional<Colours> equal_classes(const ConflictGraph& graph, std::uint32_t colours,
                                     const Limit& limit) {
    const std::uint32_t n = graph.vertices();
    if (n == 0 || n % colours != 0 || n > AdjacencyBits::most_vertices) return std::nullopt;
    const std::uint32_t size = n / colours;
    const IndependentSets sets(graph, size, limit);
    if (!sets.complete()) return std::nullopt;
    ExactCover cover(n);
    const std::span<const std::uint32_t> listed(sets.listed());
    for (std::size_t at = 0; at < listed.size(); at += size) cover.add(listed.subspan(at, size));
    const auto classes = cover.solve(limit);
    if (!classes) return std::nullopt;
    Colours result(n);
    for (std::uint32_t c = 0; c < classes->size(); ++c)
        for (const std::uint32_t v : listed.subspan(std::size_t{(*classes)[c]} * size, size))
            result[v] = c;
    return result;
}

} // namespace blockloom::schedule
