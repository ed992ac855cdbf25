// Colourings: proper on every graph, and each algorithm exactly what its name says.
#include "conflict/index_conflicts.h"
#include "headers/waiting.h"
#include "random_graphs.h"
#include "schedule/best_colouring.h"
#include "schedule/colouring.h"
#include "schedule/sequential_colouring.h"

#include <QTest>

#include <algorithm>
#include <numeric>
#include <set>

using namespace blockloom;
using namespace blockloom::schedule;
using namespace blockloom::testing;

namespace {

constexpr std::array<Algorithm, 4> quick{Algorithm::greedy, Algorithm::welsh_powell,
                                         Algorithm::smallest_last, Algorithm::dsatur};
constexpr std::uint32_t none = ~std::uint32_t{0};

std::uint32_t lowest_free(const ConflictGraph& graph, std::uint32_t v,
                          const std::vector<std::uint32_t>& colour) {
    for (std::uint32_t c = 0;; ++c)
        if (std::none_of(graph.of(v).begin(), graph.of(v).end(),
                         [&](std::uint32_t u) { return colour[u] == c; }))
            return c;
}

/// First fit in index order, by looking.
std::vector<std::uint32_t> naive_greedy(const ConflictGraph& graph) {
    std::vector<std::uint32_t> colour(graph.vertices(), none);
    for (std::uint32_t v = 0; v < graph.vertices(); ++v) colour[v] = lowest_free(graph, v, colour);
    return colour;
}

/// Welsh and Powell as they wrote it: a class at a time, in the order of the degrees.
std::vector<std::uint32_t> naive_welsh_powell(const ConflictGraph& graph) {
    std::vector<std::uint32_t> order(graph.vertices()), colour(graph.vertices(), none);
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return graph.of(a).size() > graph.of(b).size();
    });
    for (std::uint32_t c = 0; std::count(colour.begin(), colour.end(), none) > 0; ++c)
        for (const std::uint32_t v : order)
            if (colour[v] == none && std::none_of(graph.of(v).begin(), graph.of(v).end(),
                                                  [&](std::uint32_t u) { return colour[u] == c; }))
                colour[v] = c;
    return colour;
}

/// Saturation, then degree, then index; looking at every vertex each time.
std::vector<std::uint32_t> naive_dsatur(const ConflictGraph& graph) {
    const std::uint32_t n = graph.vertices();
    std::vector<std::uint32_t> colour(n, none);
    for (std::uint32_t step = 0; step < n; ++step) {
        std::uint32_t best = none;
        std::pair<std::size_t, std::size_t> best_rank;
        for (std::uint32_t v = 0; v < n; ++v) {
            if (colour[v] != none) continue;
            std::set<std::uint32_t> near;
            for (const std::uint32_t u : graph.of(v))
                if (colour[u] != none) near.insert(colour[u]);
            const std::pair rank(near.size(), graph.of(v).size());
            if (best == none || rank > best_rank) {
                best = v;
                best_rank = rank;
            }
        }
        colour[best] = lowest_free(graph, best, colour);
    }
    return colour;
}

/// 1 + the largest, over all removals of a smallest-degree vertex, of the degree it then had.
std::uint32_t degeneracy_bound(const ConflictGraph& graph) {
    const std::uint32_t n = graph.vertices();
    std::vector<bool> out(n, false);
    std::size_t bound = n == 0 ? 0 : 1;
    for (std::uint32_t step = 0; step < n; ++step) {
        std::uint32_t best = none;
        std::ptrdiff_t least = 0;
        for (std::uint32_t v = 0; v < n; ++v) {
            if (out[v]) continue;
            const auto degree = std::count_if(graph.of(v).begin(), graph.of(v).end(),
                                              [&](std::uint32_t u) { return !out[u]; });
            if (best == none || degree < least) {
                best = v;
                least = degree;
            }
        }
        out[best] = true;
        bound = std::max(bound, static_cast<std::size_t>(least) + 1);
    }
    return static_cast<std::uint32_t>(bound);
}

/// A complete graph of `size` after `before` vertices without edges.
ConflictGraph clique_after(std::uint32_t before, std::uint32_t size) {
    std::vector<Edge> edges;
    for (std::uint32_t u = 0; u < size; ++u)
        for (std::uint32_t v = u + 1; v < size; ++v) edges.push_back({before + u, before + v});
    return graph_from_edges(before + size, edges);
}

/// Vertices in `parts` classes of `size`, each adjacent to all of the other classes.
ConflictGraph multipartite(std::uint32_t parts, std::uint32_t size) {
    std::vector<Edge> edges;
    for (std::uint32_t u = 0; u < parts * size; ++u)
        for (std::uint32_t v = u + 1; v < parts * size; ++v)
            if (u % parts != v % parts) edges.push_back({u, v});
    return graph_from_edges(parts * size, edges);
}

} // namespace

class TestColouring : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void names_lead_back() {
        for (const Algorithm algorithm :
             {Algorithm::greedy, Algorithm::welsh_powell, Algorithm::smallest_last,
              Algorithm::dsatur, Algorithm::best})
            QCOMPARE(algorithm_named(name_of(algorithm)), std::optional(algorithm));
        QCOMPARE(name_of(Algorithm::welsh_powell), std::string_view("welsh-powell"));
        QVERIFY(!algorithm_named("DSATUR"));
    }

    void random_graphs_are_coloured_as_the_names_say() {
        Random random(1);
        for (int round = 0; round < 200; ++round) {
            const auto graph = random_graph(random, below(random, 90), below(random, 101));
            for (const Algorithm algorithm : quick) {
                const Colouring result = colour(graph, algorithm);
                QVERIFY(is_proper(graph, result.colour));
                QCOMPARE(result.colours, colours_in(result.colour));
                QCOMPARE(result.algorithm, algorithm);
            }
            QCOMPARE(colour(graph, Algorithm::greedy).colour, naive_greedy(graph));
            QCOMPARE(colour(graph, Algorithm::welsh_powell).colour, naive_welsh_powell(graph));
            QCOMPARE(colour(graph, Algorithm::dsatur).colour, naive_dsatur(graph));
            QVERIFY(colour(graph, Algorithm::smallest_last).colours <= degeneracy_bound(graph));
        }
    }

    void more_colours_than_a_machine_word() {
        Random random(2);
        for (const std::uint32_t size : {61u, 62u, 63u, 64u, 65u, 66u, 127u, 128u, 129u, 300u}) {
            const auto clique = clique_after(size, size);
            for (const Algorithm algorithm : quick) {
                const Colouring result = colour(clique, algorithm);
                QVERIFY(is_proper(clique, result.colour));
                QCOMPARE(result.colours, size);
            }
        }
        for (int round = 0; round < 5; ++round) {
            const auto graph = random_graph(random, 250, 85 + below(random, 15));
            QVERIFY(colour(graph, Algorithm::dsatur).colours > 64);
            QCOMPARE(colour(graph, Algorithm::greedy).colour, naive_greedy(graph));
            QCOMPARE(colour(graph, Algorithm::welsh_powell).colour, naive_welsh_powell(graph));
            QCOMPARE(colour(graph, Algorithm::dsatur).colour, naive_dsatur(graph));
        }
    }

    void graphs_of_thousands_of_vertices() {
        // Sets of vertices then span several words of their summaries.
        Random random(3);
        std::vector<Edge> edges;
        const std::uint32_t n = 9000;
        for (int i = 0; i < 40'000; ++i) {
            const Edge edge{below(random, n), below(random, below(random, n) + 1)};
            if (edge.u != edge.v) edges.push_back(edge);
        }
        const auto graph = graph_from_edges(n, edges);
        QCOMPARE(colour(graph, Algorithm::greedy).colour, naive_greedy(graph));
        QCOMPARE(colour(graph, Algorithm::dsatur).colours,
                 colours_in(colour(graph, Algorithm::dsatur).colour));
        for (const Algorithm algorithm : quick)
            QVERIFY(is_proper(graph, colour(graph, algorithm).colour));
    }

    void is_proper_sees_a_wrong_one() {
        const auto graph = clique_after(1, 3);
        QVERIFY(is_proper(graph, {0, 0, 1, 2}));
        QVERIFY(!is_proper(graph, {0, 0, 1, 1}));
        QVERIFY(!is_proper(graph, {0, 0, 1}));
    }

    void levels_reorder_nothing() {
        Random random(4);
        for (int round = 0; round < 100; ++round) {
            const auto trace = random_trace(random, random_shape(random));
            const auto index =
                conflict::index_conflicts(trace, conflict::ConflictModel::single_version);
            const auto graph = conflict::conflict_graph(*trace, 1'000'000);
            QVERIFY(index.ok() && graph.ok());
            QVERIFY(is_proper(*graph, index->level));
            QCOMPARE(reordered_pairs(*graph, index->level), 0u);
        }
    }

    void reordered_pairs_equal_a_count_over_all_pairs() {
        Random random(5);
        for (int round = 0; round < 100; ++round) {
            const auto graph = random_graph(random, below(random, 60), below(random, 101));
            const auto colours = colour(graph, Algorithm::dsatur).colour;
            std::uint64_t expected = 0;
            for (std::uint32_t j = 0; j < graph.vertices(); ++j)
                for (std::uint32_t i = 0; i < j; ++i)
                    if (std::binary_search(graph.of(j).begin(), graph.of(j).end(), i) &&
                        colours[j] < colours[i])
                        ++expected;
            QCOMPARE(reordered_pairs(graph, colours), expected);
        }
    }

    void best_is_proper_and_no_worse_than_dsatur() {
        Random random(6);
        for (int round = 0; round < 20; ++round) {
            const auto graph = random_graph(random, below(random, 120), below(random, 101));
            const Colouring result = colour(graph, Algorithm::best, 0.02);
            QVERIFY(is_proper(graph, result.colour));
            QVERIFY(result.colours <= colour(graph, Algorithm::dsatur).colours);
        }
    }

    void best_finds_what_is_proved_and_stops() {
        // A clique as large as the number of colours ends the search long before its hour is over.
        for (const auto& graph : {clique_after(5, 30), multipartite(12, 9), multipartite(2, 40),
                                  clique_after(7, 0), clique_after(0, 0)}) {
            const Colouring result = colour(graph, Algorithm::best, 3600);
            QVERIFY(is_proper(graph, result.colour));
        }
        QCOMPARE(colour(multipartite(12, 9), Algorithm::best, 3600).colours, 12u);
        QCOMPARE(colour(clique_after(5, 30), Algorithm::best, 3600).colours, 30u);
    }

    void best_improves_on_dsatur_where_there_is_room() {
        // Any search worth its name gains on a random graph of 125 vertices (DSATUR: some 21, best:
        // 17).
        Random random(7);
        const auto graph = random_graph(random, 125, 50);
        const Colouring dsatur = colour(graph, Algorithm::dsatur);
        WAIT_UNTIL(colour(graph, Algorithm::best, 0.5).colours < dsatur.colours);
    }

    void best_stops_when_asked() {
        Random random(8);
        const auto graph = random_graph(random, 300, 50);
        std::stop_source source;
        source.request_stop();
        const Colouring result = colour(graph, Algorithm::best, 3600, source.get_token());
        QVERIFY(is_proper(graph, result.colour));
    }
};

QTEST_APPLESS_MAIN(TestColouring)
#include "test_colouring.moc"
