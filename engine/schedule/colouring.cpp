#include "schedule/colouring.h"

#include "schedule/best_colouring.h"
#include "schedule/dsatur.h"
#include "schedule/sequential_colouring.h"

#include <array>
#include <utility>

namespace blockloom::schedule {

namespace {

constexpr std::array<std::pair<Algorithm, std::string_view>, 5> names{{
    {Algorithm::greedy, "greedy"},
    {Algorithm::welsh_powell, "welsh-powell"},
    {Algorithm::smallest_last, "smallest-last"},
    {Algorithm::dsatur, "dsatur"},
    {Algorithm::best, "best"},
}};

std::vector<std::uint32_t> run(const conflict::ConflictGraph& graph, Algorithm algorithm,
                               double seconds, std::stop_token stop) {
    switch (algorithm) {
    case Algorithm::greedy:
        return first_fit(graph);
    case Algorithm::welsh_powell:
        return first_fit(graph, largest_first_order(graph));
    case Algorithm::smallest_last:
        return first_fit(graph, smallest_last_order(graph));
    case Algorithm::dsatur:
        return dsatur(graph);
    case Algorithm::best:
        break;
    }
    return best_colouring(graph, seconds, std::move(stop));
}

} // namespace

std::string_view name_of(Algorithm algorithm) {
    for (const auto& [value, name] : names)
        if (value == algorithm) return name;
    return {};
}

std::optional<Algorithm> algorithm_named(std::string_view name) {
    for (const auto& [value, known] : names)
        if (known == name) return value;
    return std::nullopt;
}

Colouring colour(const conflict::ConflictGraph& graph, Algorithm algorithm, double seconds,
                 std::stop_token stop) {
    Stopwatch watch;
    Colouring result{algorithm, 0, run(graph, algorithm, seconds, std::move(stop)), 0};
    result.time_ns = watch.lap();
    result.colours = colours_in(result.colour);
    return result;
}

bool is_proper(const conflict::ConflictGraph& graph, const std::vector<std::uint32_t>& colour) {
    if (colour.size() != graph.vertices()) return false;
    for (conflict::TaskId v = 0; v < graph.vertices(); ++v)
        for (const conflict::TaskId u : graph.of(v))
            if (colour[u] == colour[v]) return false;
    return true;
}

std::uint64_t reordered_pairs(const conflict::ConflictGraph& graph,
                              const std::vector<std::uint32_t>& colour) {
    std::uint64_t pairs = 0;
    for (conflict::TaskId j = 0; j < graph.vertices(); ++j)
        for (const conflict::TaskId i : graph.of(j)) {
            if (i >= j) break; // neighbours are sorted
            pairs += colour[j] < colour[i] ? 1 : 0;
        }
    return pairs;
}

} // namespace blockloom::schedule
