// What recording costs a replay: spans × the measured cost of one as a share of the wall time, and
// replays with and without it in turns, with the interval of the ratio of medians.
#include "execute/recording.h"
#include "execute/replay.h"
#include "profile/bootstrap.h"
#include "recipes/recipe.h"

#include <benchmark/benchmark.h>

using namespace blockloom;

namespace {

std::vector<execute::ReplaySource> blocks_of(const char* recipe) {
    recipes::RecipeChanges changes;
    changes.blocks = 6;
    changes.tasks = 300;
    std::vector<execute::ReplaySource> sources;
    auto made = recipes::make_blocks(recipes::with_changes(*recipes::find_recipe(recipe), changes));
    if (!made) return sources;
    for (Bytes& bytes : *made)
        for (const chain::BlockRef& ref :
             chain::list_block_bytes(std::move(bytes), "generated").blocks)
            sources.push_back({ref, ref.height, {}});
    return sources;
}

/// Nanoseconds of a span: two readings of the clock and the write.
double cost_of_span() {
    constexpr std::uint32_t spans = 1'000'000;
    profile::Recorder recorder({"message"});
    profile::LaneWriter& lane = recorder.lane("worker 0", profile::LaneKind::worker);
    Stopwatch watch;
    for (std::uint32_t i = 0; i < spans; ++i) {
        const profile::Tick begin = profile::tick();
        lane.add(begin, profile::tick(), {0, profile::Category::message, 1, i, i});
    }
    return static_cast<double>(watch.lap()) / spans;
}

void recorded_replay(benchmark::State& bench) {
    const auto blocks = blocks_of("mixed");
    execute::ReplayOptions how;
    how.contracts = std::make_shared<alkanes::Contracts>();
    if (bench.range(0) != 0) {
        how.strategy.strategy = execute::Strategy::speculative;
        how.strategy.workers = static_cast<unsigned>(bench.range(0));
    }
    SilentProgress silent;
    std::size_t spans = 0;
    const auto replay = [&](bool record) -> Nanoseconds {
        execute::ReplayOptions options = how;
        if (record) options.recording = std::make_shared<execute::Recording>();
        const auto done = execute::replay_on(
            nullptr, blocks, options, false,
            [](const std::shared_ptr<const execute::ReplayedBlock>&) { return Status(); }, silent,
            {});
        if (record) spans = options.recording->finish().span_count();
        return done ? done->wall : 0;
    };
    for (int i = 0; i < 4; ++i) (void)(replay(true) + replay(false)); // warm-up
    for (auto _ : bench) {
        std::vector<Nanoseconds> with, without;
        for (int i = 0; i < 40; ++i) {
            if (i % 2 == 0) with.push_back(replay(true));
            without.push_back(replay(false));
            if (i % 2 != 0) with.push_back(replay(true));
        }
        const double cost = cost_of_span(), wall = profile::median_of(without);
        const auto interval = profile::ratio_interval(with, without);
        if (!interval || spans == 0) return bench.SkipWithError("the blocks were not replayed");
        bench.counters["spans"] = static_cast<double>(spans);
        bench.counters["ns_a_span"] = cost;
        bench.counters["ms_wall"] = wall / 1e6;
        bench.counters["percent_of_wall"] = static_cast<double>(spans) * cost / wall * 100;
        bench.counters["ratio"] = profile::median_of(with) / wall;
        bench.counters["ci95_low"] = interval->low;
        bench.counters["ci95_high"] = interval->high;
    }
}

} // namespace

// Workers; 0: the serial strategy.
BENCHMARK(recorded_replay)->Arg(0)->Arg(2)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK_MAIN();
