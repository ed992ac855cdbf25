// What a message costs from its block's bytes to the accepted state, stage by stage, on one core,
// beside the bare contract calls of the same messages. Digest and access sets are included, the
// conflict index is not. Processor time, medians of turns; allocations by an operator new that
// counts.
#include "alkanes/block_execution.h"
#include "alkanes/block_trace.h"
#include "alkanes/host_functions.h"
#include "chain/block_source.h"
#include "execute/layered_state.h"
#include "profile/tick.h"
#include "recipes/recipe.h"
#include "recipes/recipe_blocks.h"

#include "counted_allocations.h"
#include "cpu_watch.h"
#include "recorded_blocks.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <iostream>

using namespace blockloom;

namespace {

enum Stage : std::uint8_t { decode, execute, digest, trace, accept, release };
constexpr std::array<const char*, 6> stage_names{"decode", "execute", "digest",
                                                 "trace",  "accept",  "release"};

[[noreturn]] void give_up(const std::string& why) {
    std::cerr << why << "\n";
    std::exit(1);
}

/// What a turn took of a stage, over all messages.
struct Cost {
    double seconds = 0;
    std::uint64_t allocations = 0;
};
using Costs = std::array<Cost, stage_names.size()>;

/// Books everything since the last call under a stage.
class Book {
public:
    explicit Book(Costs& costs) : costs_(&costs) {}
    void book(Stage stage) {
        const std::uint64_t made = allocations_.so_far();
        (*costs_)[stage].seconds += watch_.lap();
        (*costs_)[stage].allocations += made - std::exchange(booked_, made);
    }

private:
    Costs* costs_;
    bench::CountedAllocations allocations_;
    std::uint64_t booked_ = 0;
    bench::CpuWatch watch_;
};

/// All transactions of a block are done: what follows in execute_block is the digest.
class EndOfExecution final : public ProgressSink {
public:
    explicit EndOfExecution(Book& book) : book_(book) {}
    void report(const Progress& progress) override {
        if (progress.done == progress.total) book_.book(execute);
    }

private:
    Book& book_;
};

class Path {
public:
    explicit Path(const std::string& name)
        : runtime_(alkanes::host_imports, contracts_, alkanes::Engine::native,
                   alkanes::Runtime::MachineCode::awaited),
          replay_(contracts_) {
        recipes::RecipeChanges changes;
        changes.blocks = 4;
        auto made =
            recipes::make_blocks(recipes::with_changes(*recipes::find_recipe(name), changes));
        if (!made) give_up(made.error().message);
        for (Bytes& bytes : *made)
            for (const chain::BlockRef& ref :
                 chain::list_block_bytes(std::move(bytes), "generated").blocks)
                blocks_.push_back(ref);
        auto recorded = bench::record_blocks(blocks_, contracts_);
        if (!recorded) give_up(recorded.error().message);
        recorded_ = *std::move(recorded);
        warm_up();
    }

    /// One turn of everything; the first block, which deploys, does not count.
    Costs turn() {
        Costs costs{}, unbooked{};
        execute::LayeredState state(nullptr);
        messages_ = 0;
        for (const chain::BlockRef& ref : blocks_) {
            const bool counts = &ref != &blocks_.front();
            const std::uint64_t tasks = block(ref, state, counts ? costs : unbooked);
            if (counts) messages_ += tasks;
        }
        return costs;
    }

    struct Bare {
        double contracts = 0, instances = 0; ///< seconds
    };
    /// The contract calls of the same messages.
    Bare bare() {
        (void)replay_.take_ticks();
        bench::CpuWatch watch;
        const profile::Tick begin = profile::tick();
        for (std::size_t i = 0; i < recorded_.calls.size(); ++i)
            if (!replay_.make(recorded_.contracts[i], recorded_.calls[i]))
                give_up("a bare call went another way");
        const double all = static_cast<double>(profile::tick() - begin);
        const double whole = watch.lap();
        const double inside = static_cast<double>(replay_.take_ticks()) / all;
        return {whole * inside, whole * (1 - inside)};
    }

    [[nodiscard]] std::uint64_t messages() const noexcept { return messages_; }
    [[nodiscard]] std::size_t calls() const noexcept { return recorded_.calls.size(); }
    [[nodiscard]] std::size_t left_out() const noexcept { return recorded_.left_out; }

private:
    std::uint64_t block(const chain::BlockRef& ref, execute::LayeredState& state, Costs& costs) {
        Book book(costs);
        std::uint64_t tasks = 0;
        {
            auto stored = chain::read_block(ref);
            if (!stored) give_up(stored.error().message);
            auto decoded = chain::decode_block(ref, *std::move(stored));
            if (!decoded) give_up(decoded.error().message);
            auto context = alkanes::open_block(
                std::make_shared<const chain::Block>(*std::move(decoded)), how_, state);
            if (!context) give_up(context.error().message);
            book.book(decode);
            EndOfExecution end(book);
            auto done = alkanes::execute_block(runtime_, *context, state, {}, end, watch_);
            if (!done) give_up(done.error().message);
            book.book(digest);
            auto traced = alkanes::trace_of(*done, *context);
            if (!traced) give_up(traced.error().message);
            book.book(trace);
            state.apply(done->changes);
            book.book(accept);
            tasks = done->tasks;
        }
        book.book(release);
        return tasks;
    }

    /// The best code everywhere: it was awaited when the calls were recorded.
    void warm_up() {
        for (int i = 0; i < 2; ++i) (void)(turn(), bare());
    }

    alkanes::BlockOptions how_;
    std::shared_ptr<alkanes::Contracts> contracts_ = std::make_shared<alkanes::Contracts>();
    alkanes::Runtime runtime_;
    bench::CallReplay replay_;
    alkanes::TransactionWatch* watch_ = nullptr;
    std::vector<chain::BlockRef> blocks_;
    bench::RecordedBlocks recorded_;
    std::uint64_t messages_ = 0;
};

double median(std::vector<double> values) {
    std::nth_element(values.begin(),
                     values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

void path(benchmark::State& bench, const char* recipe) {
    constexpr int turns = 9;
    Path path(recipe);
    for (auto _ : bench) {
        std::array<std::vector<double>, stage_names.size()> stages;
        std::vector<double> whole, beside, contracts, instances;
        Costs last{};
        for (int i = 0; i < turns; ++i) {
            last = path.turn();
            const auto bare = path.bare();
            const double each = 1e6 / static_cast<double>(path.messages());
            double all = 0;
            for (std::size_t stage = 0; stage < last.size(); ++stage) {
                stages[stage].push_back(last[stage].seconds * each);
                all += last[stage].seconds * each;
            }
            whole.push_back(all);
            contracts.push_back(bare.contracts * each);
            instances.push_back(bare.instances * each);
            beside.push_back(all - bare.contracts * each);
        }
        const auto messages = static_cast<double>(path.messages());
        double allocations = 0;
        for (std::size_t stage = 0; stage < last.size(); ++stage) {
            const std::string name = stage_names[stage];
            bench.counters[name + "_us"] = median(stages[stage]);
            const double made = static_cast<double>(last[stage].allocations) / messages;
            bench.counters[name + "_allocations"] = made;
            allocations += made;
        }
        bench.counters["whole_us"] = median(whole);
        bench.counters["contracts_us"] = median(contracts);
        bench.counters["instances_us"] = median(instances);
        bench.counters["beside_us"] = median(beside);
        bench.counters["allocations"] = allocations;
        bench.counters["messages"] = messages;
        bench.counters["calls"] = static_cast<double>(path.calls());
        bench.counters["calls_left_out"] = static_cast<double>(path.left_out());
    }
}

BENCHMARK_CAPTURE(path, independent, "independent")->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(path, mixed, "mixed")->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(path, amm, "amm")->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(path, mainnet_2026, "mainnet-2026")->Iterations(1)->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
