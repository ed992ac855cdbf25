// Conflict index on synthetic traces, one core, each against std::sort of the same accesses in the
// same process (issue 2: levels alone ≥ 45 M/s; edges, levels, groups and exact pairs of 2,000-task
// blocks ≥ 14 M/s at s = 1.0, ≥ 24 M/s at s = 0.8 and ≥ 1.3 × the sort; two hot keys ≤ 100 ms).
#include "conflict/conflict_index.h"
#include "conflict/contention.h"
#include "conflict/index_conflicts.h"
#include "conflict/levels.h"
#include "conflict/touch_lists.h"
#include "zipf_trace.h"

#include <benchmark/benchmark.h>

#include <limits>
#include <tuple>

using namespace blockloom;
using namespace blockloom::bench;
using conflict::ConflictModel;

namespace {

constexpr std::uint64_t ten_million = 10'000'000;
constexpr std::uint32_t block_tasks = 2'000;
constexpr int peer_rounds = 3;

using Traces = std::vector<std::shared_ptr<const trace::PolicedTrace>>;

/// Made once for all benchmarks that want the same; the last one only, for memory's sake.
const Traces& traces(double skew, std::uint64_t accesses, std::uint32_t tasks) {
    static std::tuple<double, std::uint64_t, std::uint32_t> made{};
    static Traces kept;
    const std::tuple wanted{skew, accesses, tasks};
    if (made != wanted) {
        kept.clear();
        kept = zipf_traces(skew, accesses, tasks);
        made = wanted;
    }
    return kept;
}

double sorted_once(const trace::AccessSets& sets) {
    std::vector<std::uint64_t> pairs = sortable(sets);
    CpuWatch watch;
    std::sort(pairs.begin(), pairs.end());
    benchmark::DoNotOptimize(pairs.data());
    return watch.lap();
}

/// Seconds of std::sort over all traces, one after the other; the best of some rounds.
double sort_seconds(const Traces& all) {
    double best = std::numeric_limits<double>::max();
    for (int round = 0; round < peer_rounds; ++round) {
        double sum = 0;
        for (const auto& trace : all) sum += sorted_once(trace->access_sets());
        best = std::min(best, sum);
    }
    return best;
}

/// The same of all accesses in one array.
double whole_sort_seconds(const Traces& all) {
    std::vector<std::uint64_t> pairs;
    for (const auto& trace : all) {
        const std::vector<std::uint64_t> part = sortable(trace->access_sets());
        pairs.insert(pairs.end(), part.begin(), part.end());
    }
    CpuWatch watch;
    std::sort(pairs.begin(), pairs.end());
    benchmark::DoNotOptimize(pairs.data());
    return watch.lap();
}

/// Rate of what the loop did.
class Meter {
public:
    explicit Meter(benchmark::State& state) : state_(state) {}
    template <typename Work> void run(Work work) {
        for (auto _ : state_) {
            CpuWatch watch;
            work();
            const double taken = watch.lap();
            state_.SetIterationTime(taken);
            best_ = std::min(best_, taken);
        }
    }
    void report(std::uint64_t accesses) {
        state_.counters["M_accesses_per_s"] = static_cast<double>(accesses) / best_ * 1e-6;
        state_.counters["ns_per_access"] = best_ * 1e9 / static_cast<double>(accesses);
    }
    /// How many times as fast as a peer it was.
    void compare(const char* name, double peer_seconds) {
        state_.counters[name] = peer_seconds / best_;
    }

private:
    benchmark::State& state_;
    double best_ = std::numeric_limits<double>::max();
};

double skew_of(const benchmark::State& state) {
    return static_cast<double>(state.range(0)) / 10;
}

void levels_alone(benchmark::State& state) {
    const auto accesses = static_cast<std::uint64_t>(state.range(1)) * 1'000'000;
    const Traces& all =
        traces(skew_of(state), accesses, static_cast<std::uint32_t>(accesses / accesses_a_task));
    Meter meter(state);
    meter.run([&] {
        benchmark::DoNotOptimize(find_levels(*all[0], ConflictModel::single_version).data());
    });
    meter.report(accesses);
    if (accesses <= ten_million) meter.compare("x_std_sort", sort_seconds(all));
}

void index_one_trace(benchmark::State& state) {
    const auto accesses = static_cast<std::uint64_t>(state.range(1)) * 1'000'000;
    const Traces& all =
        traces(skew_of(state), accesses, static_cast<std::uint32_t>(accesses / accesses_a_task));
    Meter meter(state);
    meter.run([&] {
        const auto index = conflict::index_without_pairs(all[0], ConflictModel::single_version);
        if (!index) state.SkipWithError(index.error().message.c_str());
    });
    meter.report(accesses);
    if (accesses <= ten_million) meter.compare("x_std_sort", sort_seconds(all));
}

void index_blocks(benchmark::State& state) {
    const auto accesses = static_cast<std::uint64_t>(state.range(1)) * 1'000'000;
    const Traces& all = traces(skew_of(state), accesses, block_tasks);
    std::uint64_t pairs = 0, edges = 0, keys = 0;
    Meter meter(state);
    meter.run([&] {
        pairs = edges = keys = 0;
        for (const auto& trace : all) {
            const auto index = conflict::index_conflicts(trace, ConflictModel::single_version);
            if (!index) return state.SkipWithError(index.error().message.c_str());
            pairs += index->pairs.any;
            edges += index->edges();
            keys += index->keys;
        }
    });
    meter.report(accesses);
    if (accesses <= ten_million) meter.compare("x_std_sort", sort_seconds(all));
    if (accesses <= ten_million) meter.compare("x_whole_sort", whole_sort_seconds(all));
    const auto whole = static_cast<double>(accesses);
    state.counters["pairs_per_access"] = static_cast<double>(pairs) / whole;
    state.counters["edges_per_access"] = static_cast<double>(edges) / whole;
    state.counters["keys_per_access"] = static_cast<double>(keys) / whole;
}

/// What the window asks for of each block: the hottest 32 keys with their gains. The peer is the
/// index of the same blocks.
void contention_of_blocks(benchmark::State& state) {
    const Traces all(traces(skew_of(state), ten_million, block_tasks));
    const std::size_t some = 50;
    std::vector<conflict::ConflictIndex> indices;
    CpuWatch watch;
    for (std::size_t i = 0; i < some; ++i) {
        auto index = conflict::index_conflicts(all[i], ConflictModel::single_version);
        if (!index) return state.SkipWithError(index.error().message.c_str());
        indices.push_back(*std::move(index));
    }
    const double peer = watch.lap();
    Meter meter(state);
    meter.run([&] {
        for (const conflict::ConflictIndex& index : indices) {
            const auto ranked = conflict::contention(index, 32);
            if (!ranked) return state.SkipWithError(ranked.error().message.c_str());
        }
    });
    meter.report(some * block_tasks * accesses_a_task);
    meter.compare("x_index", peer);
}

/// The gains of all keys of one block of 5,000 tasks, each exact (issue 20: under a second). The
/// worst block: a chain of all tasks, each edge of which is caused by a key of its own, so that
/// every key has to be tried; and eight keys of each task that nobody shares. `cost_us`: measured
/// times of tasks; with 1,000 their sum no longer fits the lanes of one pass.
void gains_of_every_key(benchmark::State& state) {
    constexpr std::uint32_t tasks = 5'000, own = 8;
    const bool chain = state.range(0) != 0;
    std::shared_ptr<const trace::PolicedTrace> policed;
    const auto with_costs = [&](const trace::PolicedTrace& from) {
        auto made = std::make_shared<trace::PolicedTrace>(from);
        if (state.range(1) != 0)
            made->cost.assign(tasks, static_cast<std::uint64_t>(state.range(1)) * 1'000);
        return made;
    };
    if (chain) {
        auto block = std::make_shared<trace::BlockTrace>();
        trace::KeyId fresh = tasks;
        for (std::uint32_t task = 0; task < tasks; ++task) {
            if (task > 0) block->sets.accesses.emplace_back(task - 1, trace::Mode::read);
            block->sets.accesses.emplace_back(task, trace::Mode::write);
            for (std::uint32_t i = 0; i < own; ++i)
                block->sets.accesses.emplace_back(fresh++, trace::Mode::read_write);
            block->sets.begin.push_back(static_cast<std::uint32_t>(block->sets.accesses.size()));
        }
        block->sets.key_count = fresh;
        trace::PolicedTrace whole;
        whole.original = std::move(block);
        policed = with_costs(whole);
    } else {
        policed = with_costs(*traces(1.0, std::uint64_t{tasks} * accesses_a_task, tasks)[0]);
    }
    const auto index = conflict::index_without_pairs(policed, ConflictModel::single_version);
    if (!index) return state.SkipWithError(index.error().message.c_str());
    std::size_t keys = 0, gains = 0;
    Meter meter(state);
    meter.run([&] {
        const auto ranked = conflict::contention(*index, policed->access_sets().key_count);
        if (!ranked) return state.SkipWithError(ranked.error().message.c_str());
        keys = ranked->size();
        gains = 0;
        for (const conflict::KeyContention& key : *ranked) gains += key.gain_if_relaxed > 1;
    });
    meter.report(policed->access_sets().accesses.size());
    state.counters["keys"] = static_cast<double>(keys);
    state.counters["gains"] = static_cast<double>(gains);
}

/// 10,000 tasks that all touch two keys: every pair of tasks conflicts.
void pairs_of_two_hot_keys(benchmark::State& state) {
    constexpr std::uint32_t tasks = 10'000;
    auto block = std::make_shared<trace::BlockTrace>();
    block->sets.key_count = 2;
    std::mt19937_64 random(3);
    for (std::uint32_t task = 0; task < tasks; ++task) {
        for (trace::KeyId key = 0; key < 2; ++key)
            block->sets.accesses.emplace_back(key, random() % 2 == 0 ? trace::Mode::read
                                                                     : trace::Mode::write);
        block->sets.begin.push_back(static_cast<std::uint32_t>(block->sets.accesses.size()));
    }
    auto policed = std::make_shared<trace::PolicedTrace>();
    policed->original = block;
    std::uint64_t pairs = 0;
    Meter meter(state);
    meter.run([&] {
        const auto index = conflict::index_conflicts(policed, ConflictModel::single_version);
        if (!index) return state.SkipWithError(index.error().message.c_str());
        pairs = index->pairs.any;
    });
    meter.report(2 * tasks);
    state.counters["pairs"] = static_cast<double>(pairs);
}

} // namespace

BENCHMARK(levels_alone)
    ->ArgNames({"s_x10", "M"})
    ->Args({10, 10})
    ->Args({8, 10})
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime();
BENCHMARK(index_blocks)
    ->ArgNames({"s_x10", "M"})
    ->Args({10, 10})
    ->Args({8, 10})
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime();
BENCHMARK(contention_of_blocks)
    ->ArgName("s_x10")
    ->Arg(10)
    ->Arg(8)
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime();
BENCHMARK(gains_of_every_key)
    ->ArgNames({"chain", "cost_us"})
    ->Args({0, 0})
    ->Args({1, 0})
    ->Args({1, 100})
    ->Args({1, 1000})
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime();
BENCHMARK(index_one_trace)
    ->ArgNames({"s_x10", "M"})
    ->Args({10, 10})
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime();
BENCHMARK(pairs_of_two_hot_keys)->Unit(benchmark::kMillisecond)->UseManualTime();
// Linear to 100 million: the same rates as above, but for what no longer fits the caches.
BENCHMARK(levels_alone)
    ->ArgNames({"s_x10", "M"})
    ->Args({10, 100})
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime();
BENCHMARK(index_one_trace)
    ->ArgNames({"s_x10", "M"})
    ->Args({10, 100})
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime();
BENCHMARK(index_blocks)
    ->ArgNames({"s_x10", "M"})
    ->Args({10, 100})
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime();

BENCHMARK_MAIN();
