#include "schedule/best_colouring.h"

#include "base/contain.h"
#include "schedule/clique.h"
#include "schedule/dsatur.h"
#include "schedule/equal_classes.h"
#include "schedule/evolution.h"
#include "schedule/kernel.h"
#include "schedule/sequential_colouring.h"
#include "schedule/tabu_col.h"

#include <algorithm>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace blockloom::schedule {

namespace {

constexpr std::uint64_t moves_to_a_restart = 4'000'000;
constexpr std::uint64_t moves_to_a_crossover = 100'000;

Colours by_one_pass(const ConflictGraph& graph) {
    Colours best = dsatur(graph);
    for (const auto& order : {largest_first_order(graph), smallest_last_order(graph)}) {
        Colours other = first_fit(graph, order);
        if (colours_in(other) < colours_in(best)) best = std::move(other);
    }
    return best;
}

/// One tabu search after the other, the first from what is known.
std::optional<Colours> search_again_and_again(const ConflictGraph& graph, std::uint32_t colours,
                                              const Colours& start, std::uint64_t seed,
                                              const Limit& limit) {
    TabuCol search(graph, colours, seed);
    search.start_from(start);
    while (!search.run(moves_to_a_restart, limit)) {
        if (limit.reached()) return std::nullopt;
        search.start_at_random();
    }
    return search.best();
}

/// Equal classes for a part of the time, then crossed pairs.
std::optional<Colours> search_by_partition(const ConflictGraph& graph, std::uint32_t colours,
                                           std::uint64_t seed, const Limit& limit) {
    const Nanoseconds now = now_ns();
    auto found = equal_classes(graph, colours, {now + (limit.deadline - now) / 4, limit.stop});
    if (found) return found;
    return evolve(graph, colours, moves_to_a_crossover, seed, limit);
}

/// Runs the searches in competition; the first to find a colouring stops the others.
std::optional<Colours>
first_of(const std::vector<std::function<std::optional<Colours>(const Limit&)>>& searches,
         const Limit& limit) {
    std::stop_source over;
    const std::stop_callback outer(limit.stop, [&] { over.request_stop(); });
    std::mutex mutex;
    std::optional<Colours> found;
    std::exception_ptr thrown; // the last
    const auto race = [&](const auto& search) {
        try {
            auto colours = search({limit.deadline, over.get_token()});
            if (!colours) return;
            const std::lock_guard lock(mutex);
            if (!found) found = std::move(colours);
        } catch (const std::exception&) {
            const std::lock_guard lock(mutex);
            thrown = std::current_exception();
        }
        over.request_stop();
    };
    {
        std::vector<std::jthread> threads;
        for (const auto& search : searches)
            threads.push_back(start_thread([&race, &search] { race(search); }));
    }
    if (!found && thrown) std::rethrow_exception(thrown);
    return found;
}

/// A colouring with at most `colours` colours, or nothing if none was found in time.
std::optional<Colours> with_at_most(const ConflictGraph& graph, std::uint32_t colours,
                                    const Colours& known, const Limit& limit) {
    const Kernel kernel(graph, colours);
    if (kernel.graph().vertices() == 0) return kernel.extend({});
    if (colours < 2 || !TabuCol::takes(kernel.graph(), colours)) return std::nullopt;
    const Colours start = kernel.restrict(known);
    const auto found =
        first_of({[&](const Limit& until) {
                      return search_again_and_again(kernel.graph(), colours, start, 1, until);
                  },
                  [&](const Limit& until) {
                      return search_by_partition(kernel.graph(), colours, 2, until);
                  }},
                 limit);
    if (!found) return std::nullopt;
    return kernel.extend(*found);
}

} // namespace

Colours best_colouring(const ConflictGraph& graph, double seconds, std::stop_token stop) {
    const auto budget = static_cast<Nanoseconds>(std::clamp(seconds, 0.0, 1e9) * 1e9);
    const Limit limit{now_ns() + budget, std::move(stop)};
    Colours best = by_one_pass(graph);
    const std::size_t least = large_clique(graph, limit).size();
    while (colours_in(best) > least && !limit.reached()) {
        auto fewer = with_at_most(graph, colours_in(best) - 1, best, limit);
        if (!fewer) break;
        best = std::move(*fewer);
    }
    return best;
}

} // namespace blockloom::schedule
