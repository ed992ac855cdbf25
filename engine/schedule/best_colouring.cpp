#include "schedule/best_colouring.h"

#include "schedule/dsatur.h"
#include "schedule/sequential_colouring.h"
#include "schedule/tabu_col.h"

#include <algorithm>

namespace blockloom::schedule {

Colours best_colouring(const ConflictGraph& graph, double seconds, std::stop_token stop) {
    const Limit limit{now_ns() + static_cast<Nanoseconds>(std::clamp(seconds, 0.0, 1e9) * 1e9),
                      std::move(stop)};
    Colours best = dsatur(graph);
    for (const auto& order : {largest_first_order(graph), smallest_last_order(graph)}) {
        Colours other = first_fit(graph, order);
        if (colours_in(other) < colours_in(best)) best = std::move(other);
    }
    if (graph.vertices() > TabuCol::most_vertices) return best;
    while (!limit.reached() && colours_in(best) > 2) {
        TabuCol search(graph, colours_in(best) - 1, 1);
        search.start_from(best);
        if (!search.run(~std::uint64_t{0}, limit)) break;
        best = search.best();
    }
    return best;
}

} // namespace blockloom::schedule
