// What recording costs a replay: spans × the measured cost of one as a share of the wall time, and
// replays with and without it in turns, with the interval of the ratio of medians. On a device
// (BLOCKLOOM_DEVICE, else the best one) also what its kernels take when their waves tell when they
// ran, against kernels that do not.
#include "compute/selection.h"
#include "execute/recording.h"
#include "execute/replay.h"
#include "profile/bootstrap.h"
#include "recipes/recipe.h"
#include "recipes/recipe_blocks.h"

#include <algorithm>
#include <benchmark/benchmark.h>

using namespace blockloom;

namespace {

std::vector<execute::ReplaySource> blocks_of(const char* recipe, std::uint32_t blocks = 6,
                                             std::uint32_t tasks = 300) {
    recipes::RecipeChanges changes;
    changes.blocks = blocks;
    changes.tasks = tasks;
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

/// What a device's kernels took, and the spans of messages on its waves.
struct OnDevice {
    Nanoseconds kernels = 0;
    std::size_t messages = 0, waves = 0, at_once = 0;
};
OnDevice on_device(const profile::Trace& trace) {
    OnDevice found;
    for (const profile::Lane& lane : trace.lanes) {
        found.at_once += lane.kind == profile::LaneKind::wave;
        for (const profile::Span& span : lane.spans) {
            if (lane.kind == profile::LaneKind::device && trace.names[span.name] == "run")
                found.kernels += span.duration();
            if (lane.kind != profile::LaneKind::wave) continue;
            ++(span.category == profile::Category::message ? found.messages : found.waves);
        }
    }
    return found;
}

void recorded_on_device(benchmark::State& bench) {
    auto settings = compute::read_settings();
    if (!settings) return bench.SkipWithError(settings.error().message.c_str());
    settings->backend.choose("vulkan", "bench");
    const auto opened = compute::open_provider(*settings);
    if (!opened) return bench.SkipWithError(opened.error().message.c_str());
    const auto blocks = blocks_of("independent", 3, static_cast<std::uint32_t>(bench.range(0)));
    execute::ReplayOptions how;
    how.contracts = std::make_shared<alkanes::Contracts>();
    how.strategy.strategy = execute::Strategy::speculative;
    how.device = opened->provider;
    SilentProgress silent;
    enum Way : std::uint8_t { bare, spans, waves };
    OnDevice last;
    std::size_t all_spans = 0;
    Nanoseconds kernels = 0;
    const auto replay = [&](Way way) -> Nanoseconds {
        execute::ReplayOptions options = how;
        if (way != bare) options.recording = std::make_shared<execute::Recording>();
        options.device_options.wave_times = way == waves;
        const auto done = execute::replay_on(
            nullptr, blocks, options, false,
            [](const std::shared_ptr<const execute::ReplayedBlock>&) { return Status(); }, silent,
            {});
        if (way != bare) {
            const profile::Trace trace = options.recording->finish();
            const OnDevice seen = on_device(trace);
            kernels = seen.kernels;
            if (way == waves) last = seen, all_spans = trace.span_count();
        }
        return done ? done->wall : 0;
    };
    for (const Way way : {bare, spans, waves}) (void)replay(way); // compiles what is missing
    const auto turns = static_cast<int>(bench.range(1));
    for (auto _ : bench) {
        std::vector<Nanoseconds> walls[3], device[3];
        for (int i = 0; i < turns; ++i)
            for (const Way way : {bare, spans, waves}) {
                const Way now = i % 2 == 0 ? way : static_cast<Way>(waves - way);
                walls[now].push_back(replay(now));
                if (now != bare) device[now].push_back(kernels);
            }
        const auto ratio = profile::ratio_interval(walls[waves], walls[bare]);
        const auto kernel = profile::ratio_interval(device[waves], device[spans]);
        if (!ratio || !kernel) return bench.SkipWithError("the blocks were not replayed");
        const double wall = profile::median_of(walls[bare]);
        bench.counters["ms_wall"] = wall / 1e6;
        bench.counters["ratio"] = profile::median_of(walls[waves]) / wall;
        bench.counters["ci95_low"] = ratio->low;
        bench.counters["ci95_high"] = ratio->high;
        bench.counters["ratio_without_waves"] = profile::median_of(walls[spans]) / wall;
        bench.counters["kernels_ms"] = profile::median_of(device[waves]) / 1e6;
        bench.counters["kernels_ratio"] =
            profile::median_of(device[waves]) / profile::median_of(device[spans]);
        bench.counters["kernels_low"] = kernel->low;
        bench.counters["kernels_high"] = kernel->high;
        bench.counters["spans"] = static_cast<double>(all_spans);
        bench.counters["percent_of_wall"] =
            static_cast<double>(all_spans) * cost_of_span() / wall * 100;
        bench.counters["messages"] = static_cast<double>(last.messages);
        bench.counters["waves"] = static_cast<double>(last.waves);
        bench.counters["wave_lanes"] = static_cast<double>(last.at_once);
    }
}

} // namespace

// Tasks of a block, turns.
BENCHMARK(recorded_on_device)
    ->Args({3'000, 40})
    ->Args({16'000, 10})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
// Workers; 0: the serial strategy.
BENCHMARK(recorded_replay)->Arg(0)->Arg(2)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK_MAIN();
