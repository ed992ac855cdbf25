// Colourings against Boost Graph's sequential_vertex_coloring and igraph's COLORED_NEIGHBORS
// greedy, in one process on one core. `ratio` is the peer's time over ours (medians of rounds that
// take turns), so that higher is better; `colours` are sums over the instances.
#include "schedule/colouring.h"
#include "base/file.h"
#include "conflict/conflict_matrix.h"
#include "conflict/index_conflicts.h"
#include "places.h"
#include "schedule/dense_dsatur.h"
#include "schedule/dimacs.h"
#include "schedule/edge_list.h"
#include "schedule/simulation.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <random>

#ifdef BLOCKLOOM_HAVE_BOOST
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/sequential_vertex_coloring.hpp>
#endif
#ifdef BLOCKLOOM_HAVE_IGRAPH
#include <igraph/igraph.h>
#endif

namespace {

using namespace blockloom;
using namespace blockloom::schedule;
using conflict::ConflictGraph;

struct Instance {
    std::string name;
    ConflictGraph graph;
};

/// The instances of ../shared/data/dimacs; none where the folder is absent.
const std::vector<Instance>& dimacs_instances() {
    static const std::vector<Instance> instances = [] {
        std::vector<Instance> found;
        const std::filesystem::path folder =
            std::filesystem::path(BLOCKLOOM_SOURCE_DIR).parent_path() / "shared/data/dimacs";
        std::error_code absent;
        for (const auto& entry : std::filesystem::directory_iterator(folder, absent)) {
            const auto file = FileContent::read(entry.path());
            if (!file) continue;
            auto read = read_dimacs(file->bytes(), entry.path().filename().string());
            if (read) found.push_back({entry.path().stem().string(), std::move(read->graph)});
        }
        std::sort(found.begin(), found.end(),
                  [](const Instance& a, const Instance& b) { return a.name < b.name; });
        return found;
    }();
    return instances;
}

/// A million vertices, ten million edges drawn at random.
const std::vector<Instance>& large_random() {
    static const std::vector<Instance> instances = [] {
        constexpr std::uint32_t n = 1'000'000;
        std::mt19937_64 random(1);
        std::vector<Edge> edges;
        while (edges.size() < 10'000'000) {
            const Edge edge{static_cast<std::uint32_t>(random() % n),
                            static_cast<std::uint32_t>(random() % n)};
            if (edge.u != edge.v) edges.push_back(edge);
        }
        return std::vector<Instance>{{"random", graph_from_edges(n, edges)}};
    }();
    return instances;
}

double median(std::vector<Nanoseconds> times) {
    std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2),
                     times.end());
    return static_cast<double>(times[times.size() / 2]);
}

struct Contest {
    double ours_ns = 0, peer_ns = 0; ///< sums over the instances of the medians
    std::uint64_t our_colours = 0, peer_colours = 0;
};

using Run = std::function<std::uint32_t()>; ///< colours once, returns the number of colours

void compete(Contest& contest, int rounds, const Run& ours, const Run& peer) {
    contest.our_colours += ours();
    contest.peer_colours += peer();
    std::vector<Nanoseconds> our_times, peer_times;
    Stopwatch watch;
    for (int round = 0; round < rounds; ++round) {
        watch.lap();
        benchmark::DoNotOptimize(ours());
        our_times.push_back(watch.lap());
        benchmark::DoNotOptimize(peer());
        peer_times.push_back(watch.lap());
    }
    contest.ours_ns += median(our_times);
    contest.peer_ns += median(peer_times);
}

void report(benchmark::State& state, const Contest& contest) {
    state.counters["ratio"] = contest.peer_ns / contest.ours_ns;
    state.counters["ours_ms"] = contest.ours_ns / 1e6;
    state.counters["peer_ms"] = contest.peer_ns / 1e6;
    state.counters["colours"] = static_cast<double>(contest.our_colours);
    state.counters["peer_colours"] = static_cast<double>(contest.peer_colours);
}

using Instances = const std::vector<Instance>& (*)();

#ifdef BLOCKLOOM_HAVE_BOOST
using BoostGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;

BoostGraph boost_graph(const ConflictGraph& graph) {
    BoostGraph result(graph.vertices());
    for (std::uint32_t u = 0; u < graph.vertices(); ++u)
        for (const std::uint32_t v : graph.of(u))
            if (u < v) boost::add_edge(u, v, result);
    return result;
}

std::uint32_t boost_greedy(const BoostGraph& graph) {
    using Size = boost::graph_traits<BoostGraph>::vertices_size_type;
    std::vector<Size> colour(boost::num_vertices(graph));
    const auto map =
        boost::make_iterator_property_map(colour.begin(), boost::get(boost::vertex_index, graph));
    return static_cast<std::uint32_t>(boost::sequential_vertex_coloring(graph, map));
}

void greedy_against_boost(benchmark::State& state, Instances instances, int rounds) {
    if (instances().empty()) return state.SkipWithError("../shared/data/dimacs is absent");
    for (auto _ : state) {
        Contest contest;
        for (const Instance& instance : instances()) {
            const BoostGraph peer = boost_graph(instance.graph);
            compete(
                contest, rounds, [&] { return colour(instance.graph, Algorithm::greedy).colours; },
                [&] { return boost_greedy(peer); });
        }
        report(state, contest);
    }
}
BENCHMARK_CAPTURE(greedy_against_boost, dimacs, dimacs_instances, 101)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(greedy_against_boost, random_1M_10M, large_random, 7)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
#endif

#ifdef BLOCKLOOM_HAVE_IGRAPH
/// An igraph graph of its own kind of handle.
class PeerGraph {
public:
    explicit PeerGraph(const ConflictGraph& graph) {
        igraph_vector_int_t edges;
        igraph_vector_int_init(&edges, static_cast<igraph_integer_t>(graph.edges() * 2));
        igraph_integer_t at = 0;
        for (std::uint32_t u = 0; u < graph.vertices(); ++u)
            for (const std::uint32_t v : graph.of(u))
                if (u < v) {
                    VECTOR(edges)[at++] = u;
                    VECTOR(edges)[at++] = v;
                }
        igraph_create(&graph_, &edges, graph.vertices(), IGRAPH_UNDIRECTED);
        igraph_vector_int_destroy(&edges);
    }
    PeerGraph(const PeerGraph&) = delete;
    PeerGraph& operator=(const PeerGraph&) = delete;
    ~PeerGraph() { igraph_destroy(&graph_); }

    [[nodiscard]] std::uint32_t colours() const {
        igraph_vector_int_t colour;
        igraph_vector_int_init(&colour, 0);
        igraph_vertex_coloring_greedy(&graph_, &colour, IGRAPH_COLORING_GREEDY_COLORED_NEIGHBORS);
        const auto most = static_cast<std::uint32_t>(igraph_vector_int_max(&colour));
        igraph_vector_int_destroy(&colour);
        return most + 1;
    }

private:
    igraph_t graph_{};
};

void dsatur_against_igraph(benchmark::State& state, Instances instances, int rounds) {
    if (instances().empty()) return state.SkipWithError("../shared/data/dimacs is absent");
    for (auto _ : state) {
        Contest contest;
        for (const Instance& instance : instances()) {
            const PeerGraph peer(instance.graph);
            compete(
                contest, rounds, [&] { return colour(instance.graph, Algorithm::dsatur).colours; },
                [&] { return peer.colours(); });
        }
        report(state, contest);
    }
}
BENCHMARK_CAPTURE(dsatur_against_igraph, dimacs, dimacs_instances, 51)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(dsatur_against_igraph, random_1M_10M, large_random, 1)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
#endif

/// Each algorithm's time and sum of colours over the instances.
void colours_of_dimacs(benchmark::State& state, Algorithm algorithm) {
    if (dimacs_instances().empty()) return state.SkipWithError("../shared/data/dimacs is absent");
    std::uint64_t colours = 0;
    for (auto _ : state) {
        colours = 0;
        for (const Instance& instance : dimacs_instances())
            colours += colour(instance.graph, algorithm).colours;
    }
    state.counters["colours"] = static_cast<double>(colours);
}
BENCHMARK_CAPTURE(colours_of_dimacs, greedy, Algorithm::greedy)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(colours_of_dimacs, welsh_powell, Algorithm::welsh_powell)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(colours_of_dimacs, smallest_last, Algorithm::smallest_last)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(colours_of_dimacs, dsatur, Algorithm::dsatur)->Unit(benchmark::kMillisecond);

/// Tasks that each update two of so many keys, drawn at random.
trace::PolicedTrace block_on_few_keys(std::uint32_t tasks, std::uint32_t keys) {
    std::mt19937_64 random(3);
    auto block = std::make_shared<trace::BlockTrace>();
    block->sets.key_count = keys;
    for (std::uint32_t task = 0; task < tasks; ++task) {
        const auto key = static_cast<std::uint32_t>(random() % keys);
        const auto other = static_cast<std::uint32_t>(random() % keys);
        block->sets.accesses.emplace_back(key, trace::Mode::read_write);
        if (other != key) block->sets.accesses.emplace_back(other, trace::Mode::read_write);
        block->sets.begin.push_back(static_cast<std::uint32_t>(block->sets.accesses.size()));
    }
    trace::PolicedTrace policed;
    policed.original = std::move(block);
    return policed;
}

/// From access sets to the colouring and its reordered pairs: rows of bits against adjacency lists.
void dense_against_lists(benchmark::State& state) {
    const trace::PolicedTrace trace = block_on_few_keys(static_cast<std::uint32_t>(state.range(0)),
                                                        static_cast<std::uint32_t>(state.range(1)));
    for (auto _ : state) {
        Contest contest;
        compete(
            contest, 5,
            [&] {
                const auto matrix = conflict::conflict_matrix(trace, {});
                const auto colours = dense_dsatur(trace, *matrix);
                benchmark::DoNotOptimize(reordered_pairs(*matrix, *colours));
                return 1 + *std::max_element(colours->begin(), colours->end());
            },
            [&] {
                const auto graph = conflict::conflict_graph(trace, 100'000'000);
                const Colouring made = colour(*graph, Algorithm::dsatur);
                benchmark::DoNotOptimize(reordered_pairs(*graph, made.colour));
                return made.colours;
            });
        report(state, contest);
    }
}
BENCHMARK(dense_against_lists)
    ->ArgNames({"tasks", "keys"})
    ->Args({3'700, 1})
    ->Args({3'700, 12})
    ->Args({3'700, 120})
    ->Args({12'000, 12})
    ->Args({12'000, 120})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

/// A block of many tasks on keys that a few share.
Result<ConflictIndex> index_of_block(std::uint32_t tasks, bool costs) {
    std::mt19937_64 random(2);
    auto block = std::make_shared<trace::BlockTrace>();
    block->sets.key_count = tasks;
    auto policed = std::make_shared<trace::PolicedTrace>();
    for (std::uint32_t task = 0; task < tasks; ++task) {
        const auto key = static_cast<std::uint32_t>(random() % tasks);
        const auto other = static_cast<std::uint32_t>(random() % tasks);
        block->sets.accesses.emplace_back(key, trace::Mode::read_write);
        if (other != key) block->sets.accesses.emplace_back(other, trace::Mode::read);
        block->sets.begin.push_back(static_cast<std::uint32_t>(block->sets.accesses.size()));
        if (costs) policed->cost.push_back(21'000 + random() % 100'000);
    }
    policed->original = block;
    return conflict::index_conflicts(policed, conflict::ConflictModel::single_version);
}

/// One schedule with its slots, for 8 workers.
void schedule_tasks(benchmark::State& state, Strategy strategy) {
    const auto tasks = static_cast<std::uint32_t>(state.range(0));
    const auto index = index_of_block(tasks, true);
    if (!index) return state.SkipWithError(index.error().message.c_str());
    for (auto _ : state) benchmark::DoNotOptimize(make_schedule(*index, strategy, 8).makespan);
    state.SetItemsProcessed(state.iterations() * tasks);
}
BENCHMARK_CAPTURE(schedule_tasks, levels, Strategy::levels)
    ->Arg(2'000)
    ->Arg(1'000'000)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(schedule_tasks, list, Strategy::list)
    ->Arg(2'000)
    ->Arg(1'000'000)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(schedule_tasks, optimistic, Strategy::optimistic)
    ->Arg(2'000)
    ->Arg(1'000'000)
    ->Unit(benchmark::kMicrosecond);

/// What an analysis asks for: makespans of the three strategies for 1, 2, 4, 8 and 16 workers.
void makespans(benchmark::State& state, bool costs) {
    const auto tasks = static_cast<std::uint32_t>(state.range(0));
    const auto index = index_of_block(tasks, costs);
    if (!index) return state.SkipWithError(index.error().message.c_str());
    for (auto _ : state) {
        const LevelSimulation levels(*index);
        const ListSimulation list(*index);
        const OptimisticSimulation optimistic(*index);
        for (const std::uint32_t workers : {1u, 2u, 4u, 8u, 16u}) {
            benchmark::DoNotOptimize(levels.run(workers, Keep::makespan).makespan);
            benchmark::DoNotOptimize(list.run(workers, Keep::makespan).makespan);
            benchmark::DoNotOptimize(optimistic.run(workers, Keep::makespan).makespan);
        }
    }
    state.SetItemsProcessed(state.iterations() * tasks);
}
BENCHMARK_CAPTURE(makespans, unit_cost, false)->Arg(2'000)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(makespans, costs, true)->Arg(2'000)->Unit(benchmark::kMicrosecond);

} // namespace

BENCHMARK_MAIN();
