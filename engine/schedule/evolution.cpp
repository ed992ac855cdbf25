#include "schedule/evolution.h"

#include "schedule/tabu_col.h"

#include <algorithm>
#include <array>
#include <utility>

namespace blockloom::schedule {

namespace {

constexpr int generations_to_an_elite = 10;
constexpr std::uint32_t none = ~std::uint32_t{0};

using Classes = std::vector<std::vector<std::uint32_t>>;

Classes classes_of(const Colours& colours, std::uint32_t k) {
    Classes classes(k);
    for (std::uint32_t v = 0; v < colours.size(); ++v) classes[colours[v]].push_back(v);
    return classes;
}

/// Greedy partition crossover (Galinier and Hao 1999): the largest class of either parent in turn,
/// without what is coloured already. The remaining vertices stay uncoloured.
Colours crossed(const Colours& first, const Colours& second, std::uint32_t k) {
    std::array<Classes, 2> parents{classes_of(first, k), classes_of(second, k)};
    Colours child(first.size(), none);
    for (std::uint32_t c = 0; c < k; ++c) {
        Classes& parent = parents[c % 2];
        const auto largest =
            std::max_element(parent.begin(), parent.end(),
                             [](const auto& a, const auto& b) { return a.size() < b.size(); });
        for (const std::uint32_t v : *largest) child[v] = c;
        largest->clear();
        const Colours& colours = c % 2 == 0 ? second : first;
        Classes& other = parents[1 - c % 2];
        for (std::uint32_t v = 0; v < child.size(); ++v)
            if (child[v] == c) std::erase(other[colours[v]], v);
    }
    return child;
}

/// The vertices that a best matching of the classes leaves apart, by a greedy matching.
std::size_t distance(const Colours& first, const Colours& second, std::uint32_t k) {
    std::vector<std::uint32_t> common(std::size_t{k} * k, 0);
    for (std::size_t v = 0; v < first.size(); ++v) ++common[first[v] * k + second[v]];
    std::size_t same = 0;
    std::vector<bool> row(k, false), column(k, false);
    for (std::uint32_t i = 0; i < k; ++i) {
        std::size_t best = 0;
        bool any = false;
        for (std::size_t at = 0; at < common.size(); ++at) {
            if (row[at / k] || column[at % k]) continue;
            if (!any || common[at] > common[best]) best = at;
            any = true;
        }
        row[best / k] = column[best % k] = true;
        same += common[best];
    }
    return first.size() - same;
}

struct Individual {
    Colours colours;
    std::uint32_t conflicts = none;
};

} // namespace

std::optional<Colours> evolve(const ConflictGraph& graph, std::uint32_t colours,
                              std::uint64_t moves, std::uint64_t seed, const Limit& limit) {
    TabuCol search(graph, colours, seed);
    const auto improved = [&]() -> Individual {
        static_cast<void>(search.run(moves, limit));
        return {search.best(), search.best_conflicts()};
    };
    while (!limit.reached()) {
        std::array<Individual, 2> pair;
        for (Individual& one : pair) {
            search.start_at_random();
            one = improved();
        }
        Individual elite = pair[0], elite_before = pair[1];
        for (int generation = 1; !limit.reached(); ++generation) {
            const std::array<Colours, 2> children{
                crossed(pair[0].colours, pair[1].colours, colours),
                crossed(pair[1].colours, pair[0].colours, colours)};
            for (std::size_t i = 0; i < 2; ++i) {
                search.start_from(children[i]);
                pair[i] = improved();
                if (pair[i].conflicts == 0) return pair[i].colours;
                if (pair[i].conflicts <= elite.conflicts) elite = pair[i];
            }
            if (generation % generations_to_an_elite == 0) {
                pair[0] = std::exchange(elite_before, elite);
                elite.conflicts = none;
            }
            if (distance(pair[0].colours, pair[1].colours, colours) * 50 < graph.vertices()) break;
        }
    }
    return std::nullopt;
}

} // namespace blockloom::schedule
