// Random traces and graphs for properties of schedules and colourings, and slow references.
#pragma once

#include "conflict/conflict_index.h"
#include "schedule/edge_list.h"

#include <memory>
#include <random>

namespace blockloom::testing {

using Random = std::mt19937_64;

inline std::uint32_t below(Random& random, std::uint32_t n) {
    return static_cast<std::uint32_t>(random() % n);
}

struct TraceShape {
    std::uint32_t tasks = 30, keys = 20, most_accesses = 4;
    std::uint32_t most_cost = 9; ///< costs are 0 … most_cost; 0: no costs, 1 each
    bool transactions = false;   ///< neighbouring tasks share transactions
    bool commutative = false;    ///< a third of the keys
};

/// A shape of any kind: none or many tasks, hot or cold keys, with and without costs.
inline TraceShape random_shape(Random& random) {
    TraceShape shape;
    shape.tasks = below(random, 60);
    shape.keys = 1 + below(random, random() % 2 == 0 ? 6 : 120);
    shape.most_accesses = 1 + below(random, 5);
    shape.most_cost = random() % 3 == 0 ? 0 : 1 + below(random, 12);
    shape.transactions = random() % 4 == 0;
    shape.commutative = random() % 4 == 0;
    return shape;
}

inline std::shared_ptr<const trace::PolicedTrace> random_trace(Random& random,
                                                               const TraceShape& shape) {
    auto block = std::make_shared<trace::BlockTrace>();
    trace::AccessSets& sets = block->sets;
    sets.key_count = shape.keys;
    for (std::uint32_t task = 0; task < shape.tasks; ++task) {
        std::vector<bool> touched(shape.keys, false);
        const std::uint32_t accesses = below(random, shape.most_accesses + 1);
        for (std::uint32_t i = 0; i < accesses; ++i) {
            const std::uint32_t key = below(random, shape.keys);
            if (touched[key]) continue;
            touched[key] = true;
            sets.accesses.emplace_back(key, static_cast<trace::Mode>(1 + below(random, 3)));
        }
        sets.begin.push_back(static_cast<std::uint32_t>(sets.accesses.size()));
    }
    auto policed = std::make_shared<trace::PolicedTrace>();
    for (std::uint32_t task = 0; task < shape.tasks; ++task) {
        if (shape.most_cost > 0) policed->cost.push_back(below(random, shape.most_cost + 1));
        if (shape.transactions)
            policed->transaction.push_back(
                task == 0 ? 0 : policed->transaction.back() + below(random, 3) / 2);
    }
    if (shape.commutative)
        for (std::uint32_t key = 0; key < shape.keys; ++key)
            policed->commutative.push_back(random() % 3 == 0);
    block->transaction = policed->transaction;
    block->cost = policed->cost;
    policed->original = std::move(block);
    return policed;
}

/// A graph with `vertices` vertices where each pair is an edge with probability `percent` / 100.
inline conflict::ConflictGraph random_graph(Random& random, std::uint32_t vertices,
                                            std::uint32_t percent) {
    std::vector<schedule::Edge> edges;
    for (std::uint32_t u = 0; u < vertices; ++u)
        for (std::uint32_t v = u + 1; v < vertices; ++v)
            if (below(random, 100) < percent) edges.push_back({u, v});
    return schedule::graph_from_edges(vertices, edges);
}

/// Whether (i, j), i < j, is ordered: j reads what i writes, and neither update is commutative; or
/// they are neighbours in one transaction.
inline bool reads_what_writes(const trace::PolicedTrace& trace, std::uint32_t i, std::uint32_t j) {
    if (j == i + 1 && !trace.transaction.empty() && trace.transaction[i] == trace.transaction[j])
        return true;
    for (const trace::Access a : trace.access_sets().of(i))
        for (const trace::Access b : trace.access_sets().of(j)) {
            const bool relaxed = !trace.commutative.empty() && trace.commutative[b.key()];
            if (a.key() == b.key() && a.writes() && b.reads() && !(relaxed && b.writes()))
                return true;
        }
    return false;
}

} // namespace blockloom::testing
