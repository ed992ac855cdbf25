// The parts that `best` is made of: kernels, cliques, exact covers, equal classes, tabu search,
// crossing.
#include "random_graphs.h"
#include "schedule/clique.h"
#include "schedule/colouring.h"
#include "schedule/equal_classes.h"
#include "schedule/evolution.h"
#include "schedule/exact_cover.h"
#include "schedule/kernel.h"
#include "schedule/sequential_colouring.h"
#include "schedule/tabu_col.h"

#include <QTest>

#include <algorithm>
#include <functional>

using namespace blockloom;
using namespace blockloom::schedule;
using namespace blockloom::testing;

namespace {

const Limit no_limit{std::numeric_limits<Nanoseconds>::max(), {}};

/// Queens of an n × n board that see each other.
ConflictGraph queens(std::uint32_t n) {
    std::vector<Edge> edges;
    for (std::uint32_t a = 0; a < n * n; ++a)
        for (std::uint32_t b = a + 1; b < n * n; ++b) {
            const int rows = static_cast<int>(b / n) - static_cast<int>(a / n);
            const int columns = static_cast<int>(b % n) - static_cast<int>(a % n);
            if (rows == 0 || columns == 0 || std::abs(rows) == std::abs(columns))
                edges.push_back({a, b});
        }
    return graph_from_edges(n * n, edges);
}

/// Whether so many colours do, by trying all.
bool colourable(const ConflictGraph& graph, std::uint32_t colours) {
    Colours colour(graph.vertices());
    const std::function<bool(std::uint32_t, std::uint32_t)> from = [&](std::uint32_t v,
                                                                       std::uint32_t used) {
        if (v == graph.vertices()) return true;
        for (std::uint32_t c = 0; c < std::min(used + 1, colours); ++c) {
            colour[v] = c;
            const auto row = graph.of(v);
            if (std::none_of(row.begin(), row.end(),
                             [&](std::uint32_t u) { return u < v && colour[u] == c; }) &&
                from(v + 1, std::max(used, c + 1)))
                return true;
        }
        return false;
    };
    return from(0, 0);
}

std::size_t largest_clique(const ConflictGraph& graph) {
    std::size_t largest = 0;
    for (std::uint32_t set = 0; set < (1u << graph.vertices()); ++set) {
        bool clique = true;
        for (std::uint32_t v = 0; v < graph.vertices() && clique; ++v) {
            if ((set >> v & 1) == 0) continue;
            std::uint32_t near = 1u << v;
            for (const std::uint32_t u : graph.of(v)) near |= 1u << u;
            clique = (set & ~near) == 0;
        }
        if (clique) largest = std::max(largest, static_cast<std::size_t>(std::popcount(set)));
    }
    return largest;
}

} // namespace

class TestBest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void a_kernel_has_a_colouring_exactly_if_the_graph_has() {
        Random random(1);
        int smaller = 0;
        for (int round = 0; round < 300; ++round) {
            const auto graph = random_graph(random, below(random, 14), below(random, 101));
            for (std::uint32_t k = 1; k < 8; ++k) {
                const Kernel kernel(graph, k);
                QVERIFY(kernel.graph().vertices() <= graph.vertices());
                QCOMPARE(colourable(kernel.graph(), k), colourable(graph, k));
                if (kernel.graph().vertices() > 0 && kernel.graph().vertices() < graph.vertices())
                    ++smaller;
            }
        }
        QVERIFY(smaller > 50);
    }

    void a_kernels_colouring_carries_on_to_the_graph() {
        Random random(2);
        for (int round = 0; round < 200; ++round) {
            const auto graph = random_graph(random, 1 + below(random, 120), below(random, 101));
            const Colours known = colour(graph, Algorithm::dsatur).colour;
            const std::uint32_t k = colours_in(known);
            const Kernel kernel(graph, k);
            const Colours kept = kernel.restrict(known);
            QVERIFY(is_proper(kernel.graph(), kept));
            const Colours whole = kernel.extend(kept);
            QVERIFY(is_proper(graph, whole));
            QVERIFY(colours_in(whole) <= k);
        }
    }

    void cliques_are_cliques_and_the_largest_on_small_graphs() {
        Random random(3);
        for (int round = 0; round < 100; ++round) {
            const auto graph = random_graph(random, below(random, 13), below(random, 101));
            const auto clique = large_clique(graph, no_limit);
            for (const std::uint32_t a : clique)
                for (const std::uint32_t b : clique)
                    QVERIFY(a == b ||
                            std::binary_search(graph.of(a).begin(), graph.of(a).end(), b));
            QCOMPARE(clique.size(), largest_clique(graph));
        }
    }

    void cliques_of_large_graphs() {
        // A clique of 20 among 6,000 vertices with few other edges: above the size for rows of
        // bits.
        Random random(4);
        std::vector<Edge> edges;
        for (std::uint32_t u = 0; u < 20; ++u)
            for (std::uint32_t v = u + 1; v < 20; ++v) edges.push_back({u * 300, v * 300});
        for (std::uint32_t i = 1; i < 6000; ++i) edges.push_back({i - 1, i});
        const auto graph = graph_from_edges(6000, edges);
        QCOMPARE(large_clique(graph, no_limit).size(), std::size_t{20});
        const Colouring best = colour(graph, Algorithm::best, 3600);
        QCOMPARE(best.colours, 20u);
        QVERIFY(is_proper(graph, best.colour));
    }

    void exact_covers_cover_exactly_or_there_is_none() {
        Random random(5);
        int solved = 0;
        for (int round = 0; round < 300; ++round) {
            const std::uint32_t items = 1 + below(random, 8);
            std::vector<std::uint32_t> masks(1 + below(random, 10));
            ExactCover cover(items);
            for (std::uint32_t& mask : masks) {
                mask = 1 + below(random, (1u << items) - 1);
                std::vector<std::uint32_t> set;
                for (std::uint32_t i = 0; i < items; ++i)
                    if ((mask >> i & 1) != 0) set.push_back(i);
                cover.add(set);
            }
            bool possible = false;
            for (std::uint32_t choice = 0; choice < (1u << masks.size()) && !possible; ++choice) {
                std::uint32_t covered = 0;
                bool apart = true;
                for (std::size_t i = 0; i < masks.size() && apart; ++i) {
                    if ((choice >> i & 1) == 0) continue;
                    apart = (covered & masks[i]) == 0;
                    covered |= masks[i];
                }
                possible = apart && covered == (1u << items) - 1;
            }
            const auto chosen = cover.solve(no_limit);
            QCOMPARE(chosen.has_value(), possible);
            if (!chosen) continue;
            ++solved;
            std::uint32_t covered = 0;
            for (const std::uint32_t set : *chosen) {
                QVERIFY((covered & masks[set]) == 0);
                covered |= masks[set];
            }
            QCOMPARE(covered, (1u << items) - 1);
        }
        QVERIFY(solved > 20 && solved < 280);
    }

    void queens_share_a_board_in_equal_classes() {
        for (const std::uint32_t n : {5u, 7u}) {
            const auto graph = queens(n);
            const auto colours = equal_classes(graph, n, no_limit);
            QVERIFY(colours.has_value());
            QVERIFY(is_proper(graph, *colours));
            QCOMPARE(colours_in(*colours), n);
        }
        QVERIFY(!equal_classes(queens(6), 6, no_limit).has_value()); // needs 7
        QVERIFY(!equal_classes(queens(5), 6, no_limit).has_value()); // 25 is no multiple
    }

    void tabu_search_and_crossing_find_planted_colourings() {
        Random random(6);
        for (const std::uint32_t k : {3u, 8u, 20u}) {
            // Vertices of one residue are never adjacent; the rest is dense.
            std::vector<Edge> edges;
            const std::uint32_t n = 5 * k;
            for (std::uint32_t u = 0; u < n; ++u)
                for (std::uint32_t v = u + 1; v < n; ++v)
                    if (u % k != v % k && below(random, 10) < 9) edges.push_back({u, v});
            const auto graph = graph_from_edges(n, edges);
            TabuCol search(graph, k, 1);
            for (int restart = 0; !search.run(1'000'000, no_limit); ++restart) {
                QVERIFY(restart < 20);
                search.start_at_random();
            }
            QCOMPARE(search.best_conflicts(), 0u);
            QVERIFY(is_proper(graph, search.best()));
            const auto evolved = evolve(graph, k, 10'000, 1, no_limit);
            QVERIFY(evolved.has_value());
            QVERIFY(is_proper(graph, *evolved));
        }
    }

    void a_tabu_search_counts_its_conflicts() {
        Random random(7);
        for (int round = 0; round < 30; ++round) {
            const auto graph = random_graph(random, 2 + below(random, 60), 30 + below(random, 71));
            TabuCol search(graph, 2 + below(random, 20), 1);
            static_cast<void>(search.run(1000, no_limit));
            std::uint32_t conflicts = 0;
            for (std::uint32_t v = 0; v < graph.vertices(); ++v)
                for (const std::uint32_t u : graph.of(v))
                    if (u < v && search.best()[u] == search.best()[v]) ++conflicts;
            QCOMPARE(search.best_conflicts(), conflicts);
        }
    }

    void searches_give_up_when_told() {
        const auto graph = queens(8); // needs 9
        const Limit now{0, {}};
        QVERIFY(!evolve(graph, 8, 1000, 1, now).has_value());
        QVERIFY(!TabuCol(graph, 8, 1).run(1'000'000'000, now));
        std::stop_source source;
        source.request_stop();
        const Limit stopped{no_limit.deadline, source.get_token()};
        QVERIFY(!evolve(graph, 8, 1000, 1, stopped).has_value());
        QVERIFY(!TabuCol(graph, 8, 1).run(1'000'000'000, stopped));
    }
};

QTEST_APPLESS_MAIN(TestBest)
#include "test_best.moc"
