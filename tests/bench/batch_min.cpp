// A block below --batch-min, replayed by a strategy of rounds (on a device, where there is one),
// beside the serial run on the CPU: in turns, with the interval of the ratio of medians
// (docs/definitions.md#medians-and-intervals). What is asked is that the choice costs nothing: 0.95
// to 1.05.
#include "compute/selection.h"
#include "execute/layered_state.h"
#include "execute/replayer.h"
#include "profile/bootstrap.h"
#include "recipes/recipe.h"
#include "recipes/recipe_blocks.h"

#include <benchmark/benchmark.h>

#include <memory>
#include <vector>

using namespace blockloom;

namespace {

/// Blocks of a recipe: the first deploys, the second has fewer transactions than a batch.
struct SmallBlock {
    explicit SmallBlock(std::uint32_t tasks) : before(nullptr) {
        recipes::RecipeChanges changes;
        changes.blocks = 2;
        changes.tasks = tasks;
        changes.contracts = 1;
        auto made = recipes::make_blocks(
            recipes::with_changes(*recipes::find_recipe("independent"), changes));
        for (Bytes& bytes : *made) {
            const auto listing = chain::list_block_bytes(std::move(bytes), "generated");
            for (const chain::BlockRef& ref : listing.blocks)
                sources.push_back({ref, ref.height, {}});
        }
    }

    execute::LayeredState before;
    std::vector<execute::ReplaySource> sources;
};

/// A way to replay; it keeps its compiled contracts and instances, as in a range.
class Side {
public:
    Side(const SmallBlock& small, const execute::ReplayOptions& options)
        : small_(small), replayer_(options) {}

    /// Of `block`, from its bytes to its digest; null where it fails.
    std::shared_ptr<const alkanes::BlockExecution> replay(std::size_t block) {
        SilentProgress silent;
        auto opened = replayer_.open(small_.sources[block], small_.before);
        if (!opened) return nullptr;
        std::vector<execute::OpenedBlock> window;
        window.push_back(*std::move(opened));
        const auto done = replayer_.execute(std::move(window), small_.before, silent, {});
        return done ? done->front().execution : nullptr;
    }
    /// Nanoseconds a replay, of many.
    Nanoseconds sample(int replays) {
        Stopwatch watch;
        for (int i = 0; i < replays; ++i) benchmark::DoNotOptimize(replay(1));
        return watch.lap() / replays;
    }

private:
    const SmallBlock& small_;
    execute::Replayer replayer_;
};

void below_batch_min(benchmark::State& bench) {
    constexpr int turns = 60, replays = 20;
    constexpr std::size_t pairs = 6;
    SmallBlock small(static_cast<std::uint32_t>(bench.range(0)));
    execute::ReplayOptions serial;
    serial.trace = false;
    execute::ReplayOptions rounds = serial;
    rounds.strategy.strategy = execute::Strategy::speculative;
    rounds.strategy.batch_min = 64;
    compute::Settings settings;
    std::string where = "cpu";
    if (const auto opened = compute::open_provider(settings);
        opened && opened->provider->description().backend != "cpu") {
        rounds.device = opened->provider;
        where = opened->provider->description().name;
    }
    // One machine code for all, and several pairs: where memory happens to lie is no difference.
    serial.contracts = rounds.contracts = std::make_shared<alkanes::Contracts>();
    std::vector<std::unique_ptr<Side>> a, b;
    for (std::size_t pair = 0; pair < pairs; ++pair) {
        a.push_back(std::make_unique<Side>(small, rounds));
        b.push_back(std::make_unique<Side>(small, serial));
    }
    const auto first = b.front()->replay(0);
    if (first == nullptr) return bench.SkipWithError("the first block was not replayed");
    small.before.apply(first->changes);
    const auto one = a.front()->replay(1), other = b.front()->replay(1);
    if (one == nullptr || other == nullptr || one->digest != other->digest)
        return bench.SkipWithError("the digests differ");
    const Nanoseconds warm = now_ns() + 2'000'000'000; // by then the optimised code is there
    while (now_ns() < warm)
        for (std::size_t pair = 0; pair < pairs; ++pair)
            (void)(a[pair]->sample(1) + b[pair]->sample(1));
    for (auto _ : bench) {
        std::vector<Nanoseconds> mine, theirs;
        for (int turn = 0; turn < turns; ++turn) {
            // Who comes first changes, so that a drift hits both.
            const std::size_t pair = static_cast<std::size_t>(turn / 2) % pairs;
            if (turn % 2 == 0) mine.push_back(a[pair]->sample(replays));
            theirs.push_back(b[pair]->sample(replays));
            if (turn % 2 != 0) mine.push_back(a[pair]->sample(replays));
        }
        const auto interval = profile::ratio_interval(mine, theirs);
        if (!interval) return bench.SkipWithError("no interval");
        bench.counters["tasks"] = static_cast<double>(one->tasks);
        bench.counters["n"] = turns;
        bench.counters["us_rounds"] = profile::median_of(mine) / 1000;
        bench.counters["us_serial"] = profile::median_of(theirs) / 1000;
        bench.counters["ratio"] = profile::median_of(mine) / profile::median_of(theirs);
        bench.counters["ci95_low"] = interval->low;
        bench.counters["ci95_high"] = interval->high;
        bench.SetLabel("device: " + where);
    }
}

} // namespace

// Transactions with messages in the block.
BENCHMARK(below_batch_min)->Arg(3)->Arg(32)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK_MAIN();
