#include "schedule/edge_list.h"

#include <cassert>
#include <numeric>

namespace blockloom::schedule {

conflict::ConflictGraph graph_from_edges(std::uint32_t vertices, const std::vector<Edge>& edges) {
    std::vector<std::uint64_t> begin(vertices + std::size_t{1}, 0);
    for (const Edge& edge : edges) {
        assert(edge.u != edge.v && edge.u < vertices && edge.v < vertices);
        ++begin[edge.u + std::size_t{1}];
        ++begin[edge.v + std::size_t{1}];
    }
    std::partial_sum(begin.begin(), begin.end(), begin.begin());

    // Rows in the order of the edges; then each vertex in turn enters the rows of its neighbours,
    // which leaves them sorted: two passes of a radix sort, and no comparison.
    std::vector<std::uint32_t> rows(edges.size() * 2);
    std::vector<std::uint64_t> next(begin.begin(), begin.end() - 1);
    for (const Edge& edge : edges) {
        rows[next[edge.u]++] = edge.v;
        rows[next[edge.v]++] = edge.u;
    }
    conflict::ConflictGraph graph;
    graph.neighbours.resize(rows.size());
    next.assign(begin.begin(), begin.end() - 1);
    for (std::uint32_t v = 0; v < vertices; ++v)
        for (std::uint64_t at = begin[v]; at < begin[v + std::size_t{1}]; ++at) {
            const std::uint32_t u = rows[at];
            if (next[u] > begin[u] && graph.neighbours[next[u] - 1] == v) continue;
            graph.neighbours[next[u]++] = v;
        }

    // Close the gaps that repeated edges left.
    graph.begin.assign(vertices + std::size_t{1}, 0);
    std::uint64_t kept = 0;
    for (std::uint32_t v = 0; v < vertices; ++v) {
        for (std::uint64_t at = begin[v]; at < next[v]; ++at)
            graph.neighbours[kept++] = graph.neighbours[at];
        graph.begin[v + std::size_t{1}] = kept;
    }
    graph.neighbours.resize(kept);
    return graph;
}

} // namespace blockloom::schedule
