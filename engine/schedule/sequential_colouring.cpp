#include "schedule/sequential_colouring.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace blockloom::schedule {

namespace {

using Vertex = conflict::TaskId;

/// Up to 63 colours fit a machine word and a byte a vertex, which keeps a million vertices in the
/// cache. The value of a vertex without a colour sets the bit that is no colour.
constexpr std::uint8_t uncoloured = 63;
constexpr std::uint64_t any_colour = (std::uint64_t{1} << uncoloured) - 1;

std::uint32_t max_degree(const ConflictGraph& graph) {
    std::uint64_t most = 0;
    for (Vertex v = 0; v < graph.vertices(); ++v) most = std::max(most, graph.of(v).size());
    return static_cast<std::uint32_t>(most);
}

/// Colours of v's coloured neighbours as bits. In index order these are the lower neighbours, and
/// rows are sorted. Four at a time: one chain of or-s would wait for itself.
template <bool in_index_order>
std::uint64_t taken(const ConflictGraph& graph, Vertex v, const std::uint8_t* colour) {
    const auto row = graph.of(v);
    const auto bit = [&](std::size_t i) { return std::uint64_t{1} << colour[row[i]]; };
    std::uint64_t a = 0, b = 0, c = 0, d = 0;
    std::size_t i = 0;
    for (; i + 4 <= row.size() && (!in_index_order || row[i + 3] < v); i += 4) {
        a |= bit(i);
        b |= bit(i + 1);
        c |= bit(i + 2);
        d |= bit(i + 3);
    }
    for (; i < row.size() && (!in_index_order || row[i] < v); ++i) a |= bit(i);
    return a | b | c | d;
}

/// `order(i)` is the i-th vertex. Starts with bytes; continues with words if 63 colours are not
/// enough.
template <bool in_index_order, typename Order>
std::vector<std::uint32_t> fit(const ConflictGraph& graph, Order order) {
    const Vertex n = graph.vertices();
    std::vector<std::uint32_t> colour(n);
    std::vector<std::uint8_t> narrow(n, uncoloured);
    Vertex at = 0;
    for (; at < n; ++at) {
        const Vertex v = order(at);
        const std::uint64_t free = ~taken<in_index_order>(graph, v, narrow.data()) & any_colour;
        if (free == 0) break;
        narrow[v] = static_cast<std::uint8_t>(std::countr_zero(free));
    }
    std::copy(narrow.begin(), narrow.end(), colour.begin());
    if (at == n) return colour;

    // seen[c] is the step at which colour c was last met; the last entry is for vertices without
    // one.
    const std::uint32_t no_colour = max_degree(graph) + 2;
    std::vector<std::uint32_t> seen(no_colour + std::size_t{1}, 0);
    for (Vertex i = at; i < n; ++i) colour[order(i)] = no_colour;
    for (std::uint32_t step = 1; at < n; ++at, ++step) {
        const Vertex v = order(at);
        for (const Vertex u : graph.of(v)) {
            if (in_index_order && u >= v) break;
            seen[colour[u]] = step;
        }
        std::uint32_t c = 0;
        while (seen[c] == step) ++c;
        colour[v] = c;
    }
    return colour;
}

} // namespace

std::vector<std::uint32_t> first_fit(const ConflictGraph& graph) {
    return fit<true>(graph, [](Vertex i) { return i; });
}

std::vector<std::uint32_t> first_fit(const ConflictGraph& graph,
                                     const std::vector<std::uint32_t>& order) {
    return fit<false>(graph, [&](Vertex i) { return order[i]; });
}

std::vector<std::uint32_t> largest_first_order(const ConflictGraph& graph) {
    // A counting sort on the degree.
    std::vector<std::uint32_t> next(max_degree(graph) + std::size_t{2}, 0);
    const auto slot = [&](Vertex v) { return next.size() - 2 - graph.of(v).size(); };
    for (Vertex v = 0; v < graph.vertices(); ++v) ++next[slot(v) + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    std::vector<std::uint32_t> order(graph.vertices());
    for (Vertex v = 0; v < graph.vertices(); ++v) order[next[slot(v)]++] = v;
    return order;
}

std::vector<std::uint32_t> smallest_last_order(const ConflictGraph& graph) {
    // Doubly linked lists, one a degree; a vertex enters its list at the head.
    const Vertex n = graph.vertices();
    constexpr Vertex none = ~Vertex{0};
    constexpr std::uint32_t out = ~std::uint32_t{0};
    std::vector<Vertex> head(max_degree(graph) + std::size_t{1}, none), next(n), previous(n);
    std::vector<std::uint32_t> degree(n);
    const auto enter = [&](Vertex v) {
        Vertex& first = head[degree[v]];
        next[v] = first;
        previous[v] = none;
        if (first != none) previous[first] = v;
        first = v;
    };
    const auto leave = [&](Vertex v) {
        (previous[v] == none ? head[degree[v]] : next[previous[v]]) = next[v];
        if (next[v] != none) previous[next[v]] = previous[v];
    };
    for (Vertex v = 0; v < n; ++v) {
        degree[v] = static_cast<std::uint32_t>(graph.of(v).size());
        enter(v);
    }
    std::vector<std::uint32_t> order(n);
    std::uint32_t smallest = 0;
    for (Vertex left = n; left > 0; --left) {
        while (head[smallest] == none) ++smallest;
        const Vertex v = head[smallest];
        leave(v);
        degree[v] = out;
        order[left - 1] = v;
        for (const Vertex u : graph.of(v)) {
            if (degree[u] == out) continue;
            leave(u);
            --degree[u];
            enter(u);
        }
        if (smallest > 0) --smallest; // a neighbour lost one at most
    }
    return order;
}

std::uint32_t colours_in(const std::vector<std::uint32_t>& colour) {
    return colour.empty() ? 0 : 1 + *std::max_element(colour.begin(), colour.end());
}

} // namespace blockloom::schedule
