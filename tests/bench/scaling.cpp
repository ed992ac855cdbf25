// How a replay scales with workers, beside a bare pool that makes the contract calls of the same
// messages in the same process: recipe `independent`, strategy `speculative`, in memory and into a
// workspace. Prints tables; `--recipe=NAME`, `--strategy=NAME`, `--turns=N`, `--tasks=N`,
// `--blocks=N`, `--folder=DIR` (of the workspaces) change what is measured. Needs nothing but this
// program (docs/performance.md).
#include "execute/layered_state.h"
#include "execute/recording.h"
#include "execute/replay.h"
#include "execute/worker_pool.h"
#include "recipes/recipe.h"
#include "recipes/recipe_blocks.h"
#include "runs/busy_time.h"

#include "recorded_blocks.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <map>
#include <string_view>
#include <thread>
#include <unistd.h>

using namespace blockloom;

namespace {

namespace fs = std::filesystem;
using execute::Phase;

struct Settings {
    std::uint32_t turns = 5, tasks = 3'700, blocks = 6;
    std::string recipe = "independent";
    execute::Strategy strategy = execute::Strategy::speculative;
    fs::path folder = fs::temp_directory_path();
};

[[noreturn]] void give_up(const std::string& why) {
    std::cerr << why << "\n";
    std::exit(1);
}

/// Of all threads of this process, those of the database included.
Nanoseconds processor_time() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return Nanoseconds{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

/// Several measurements of one thing.
class Turns {
public:
    void add(Nanoseconds value) { values_.push_back(value); }
    [[nodiscard]] Nanoseconds median() const {
        std::vector<Nanoseconds> sorted = values_;
        std::sort(sorted.begin(), sorted.end());
        return sorted.empty() ? 0 : sorted[sorted.size() / 2];
    }

private:
    std::vector<Nanoseconds> values_;
};

double ratio(Nanoseconds a, Nanoseconds b) {
    return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b);
}
double ms(Nanoseconds time) {
    return static_cast<double>(time) / 1e6;
}

/// The contract calls spread over a pool's workers, and nothing else.
class BarePool {
public:
    BarePool(unsigned workers, const bench::RecordedBlocks& blocks,
             const std::shared_ptr<alkanes::Contracts>& contracts)
        : blocks_(blocks), pool_(workers) {
        for (unsigned worker = 0; worker < workers; ++worker)
            replays_.push_back(std::make_unique<bench::CallReplay>(contracts));
        run(); // each worker has its instances
    }
    void turn() {
        const Nanoseconds before = processor_time();
        Stopwatch watch;
        run();
        wall.add(watch.lap());
        processor.add(processor_time() - before);
    }

    Turns wall, processor;

private:
    void run() {
        std::atomic<bool> strayed{false};
        pool_.each(blocks_.calls.size(), 1, [&](unsigned worker, std::size_t i, std::size_t) {
            if (!replays_[worker]->make(blocks_.contracts[i], blocks_.calls[i])) strayed = true;
        });
        if (strayed) give_up("a bare call went another way");
    }

    const bench::RecordedBlocks& blocks_;
    execute::WorkerPool pool_;
    std::vector<std::unique_ptr<bench::CallReplay>> replays_;
};

/// Replays of the same blocks by one number of workers.
struct Row {
    Turns wall, processor, execute_wall, in_order, commits, driver_commits;
    std::array<Turns, execute::phase_count> busy;

    void add(const runs::BusyTime& times, Nanoseconds whole, Nanoseconds took) {
        wall.add(whole);
        processor.add(took);
        execute_wall.add(times.wall[Phase::execute]);
        in_order.add(times.wall.execute_serial);
        commits.add(times.beside[Phase::commit] - times.joined);
        driver_commits.add(times.busy[Phase::commit] - times.beside[Phase::commit]);
        for (std::size_t i = 0; i < execute::phase_count; ++i) busy[i].add(times.busy.ns[i]);
    }
    [[nodiscard]] Nanoseconds of(Phase phase) const {
        return busy[static_cast<std::size_t>(phase)].median();
    }
    /// All stages; `other` is waiting, too.
    [[nodiscard]] Nanoseconds stages() const {
        Nanoseconds sum = 0;
        for (std::size_t i = 0; i < execute::phase_count; ++i)
            if (static_cast<Phase>(i) != Phase::other) sum += busy[i].median();
        return sum;
    }
    /// What can only be done for one block after the other: pairs of its name and time.
    [[nodiscard]] std::pair<const char*, Nanoseconds> longest_serial() const {
        using Named = std::pair<const char*, Nanoseconds>;
        const std::array<Named, 4> all{Named{"execution in order", in_order.median()},
                                       {"commits to the database", commits.median()},
                                       {"commit, calling thread", driver_commits.median()},
                                       {"gather", of(Phase::gather)}};
        return *std::max_element(all.begin(), all.end(), [](const Named& a, const Named& b) {
            return a.second < b.second;
        });
    }
};

/// Where replays commit to: a folder of its own for each.
class Scratch {
public:
    explicit Scratch(const fs::path& parent)
        : folder_(parent / fmt::format("bench-scaling-{}", ::getpid())) {}
    ~Scratch() { clear(); }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    [[nodiscard]] const fs::path& folder() const noexcept { return folder_; }
    void clear() const {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }

private:
    fs::path folder_;
};

enum class Into : std::uint8_t { memory, workspace };
struct Table {
    Into into = Into::memory;
    bool deploys = false; ///< the first block, in which each message depends on the one before it
    std::map<unsigned, Row> rows{}; ///< by workers
};

class Scaling {
public:
    explicit Scaling(const Settings& settings)
        : settings_(settings), deployed_(nullptr), scratch_(settings.folder) {
        recipes::RecipeChanges changes;
        changes.blocks = settings.blocks + 1;
        changes.tasks = settings.tasks;
        changes.seed = 7;
        auto made = recipes::make_blocks(
            recipes::with_changes(*recipes::find_recipe(settings.recipe), changes));
        if (!made) give_up(made.error().message);
        std::vector<chain::BlockRef> refs;
        for (Bytes& bytes : *made)
            for (const chain::BlockRef& ref :
                 chain::list_block_bytes(std::move(bytes), "generated").blocks)
                refs.push_back(ref);
        for (const chain::BlockRef& ref : refs) blocks_.push_back({ref, ref.height, {}});
        auto recorded = bench::record_blocks(refs, contracts_);
        if (!recorded) give_up(recorded.error().message);
        calls_ = *std::move(recorded);
        replay_first_block();
        for (unsigned workers = 1; workers <= std::max(1U, std::thread::hardware_concurrency());
             workers *= 2)
            pools_.emplace(std::piecewise_construct, std::forward_as_tuple(workers),
                           std::forward_as_tuple(workers, calls_, contracts_));
        tables_ = {{Into::memory, false},
                   {Into::workspace, false},
                   {Into::memory, true},
                   {Into::workspace, true}};
    }

    void measure() {
        for (std::uint32_t turn = 0; turn <= settings_.turns; ++turn)
            for (auto& [workers, pool] : pools_) {
                if (turn != 0) pool.turn();
                for (Table& table : tables_) {
                    Row unmeasured;
                    replay(table, workers, turn == 0 ? unmeasured : table.rows[workers]);
                }
            }
    }

    void print() const {
        fmt::print("{}, {}: {} blocks of {} messages, {} bare calls ({} left out), {} turns, "
                   "medians; {} hardware threads; workspaces in {}\n",
                   settings_.recipe, name_of(settings_.strategy), settings_.blocks, settings_.tasks,
                   calls_.calls.size(), calls_.left_out, settings_.turns,
                   std::thread::hardware_concurrency(), settings_.folder.string());
        fmt::print("\nbare pool: the same contract calls and nothing else\n"
                   "{:>7} {:>9} {:>13} {:>8}\n",
                   "workers", "wall ms", "processor ms", "S");
        for (const auto& [workers, pool] : pools_)
            fmt::print("{:>7} {:>9.1f} {:>13.1f} {:>8.2f}\n", workers, ms(pool.wall.median()),
                       ms(pool.processor.median()), speed_up(workers));
        for (const Table& table : tables_) print(table);
        fmt::print(
            "\nexec busy: of all workers. by busy: workers x its time by one worker / its time. "
            "of S: that / S (required: 0.85).\n"
            "serial: the longest stage that takes one block after the other. bound: the larger of "
            "it and the stages of one worker / S;\nwall/bound (required: at most 1.15). "
            "wall/own: the same with this row's own stages. Stages are without `other`.\n");
        std::fflush(stdout);
    }

    /// Figures by name, for the benchmark's own output.
    void count(benchmark::State& bench) const {
        const unsigned most = pools_.rbegin()->first;
        bench.counters["workers"] = most;
        bench.counters["bare_speedup"] = speed_up(most);
        for (const Table& table : tables_) {
            const std::string name =
                std::string(table.into == Into::memory ? "memory" : "workspace") +
                (table.deploys ? "_deploying" : "");
            bench.counters[name + "_of_bare"] = by_busy(table, most) / speed_up(most);
            bench.counters[name + "_wall_of_bound"] =
                ratio(table.rows.at(most).wall.median(), bound(table, most, table.rows.at(1)));
        }
    }

private:
    static Status no_report(const std::shared_ptr<const execute::ReplayedBlock>&) { return {}; }

    [[nodiscard]] execute::ReplayOptions plainly() const {
        execute::ReplayOptions how;
        how.contracts = contracts_;
        how.await_code = true;
        return how;
    }
    /// What the other blocks are executed on.
    void replay_first_block() {
        const auto done =
            execute::replay_on(nullptr, first_block(), plainly(), false,
                               [this](const std::shared_ptr<const execute::ReplayedBlock>& block) {
                                   deployed_.apply(block->execution->changes);
                                   return Status();
                               },
                               silent_, {});
        if (!done) give_up(done.error().message);
    }

    void replay(const Table& table, unsigned workers, Row& row) {
        execute::ReplayOptions how = plainly();
        how.strategy.strategy = settings_.strategy;
        how.strategy.workers = workers;
        const auto blocks = std::span(blocks_).subspan(table.deploys ? 0 : 1, settings_.blocks);
        std::unique_ptr<store::Workspace> workspace;
        if (table.into == Into::workspace) workspace = new_workspace(table.deploys);
        auto recording = std::make_shared<execute::Recording>();
        how.recording = recording;
        execute::Phases phases;
        const Nanoseconds before = processor_time();
        Nanoseconds took = 0; // without the digest of the whole state, which follows the last block
        const auto add = [&](const std::shared_ptr<const execute::ReplayedBlock>& block) {
            phases += block->phases;
            took = processor_time() - before;
            return Status();
        };
        const auto done =
            workspace ? execute::replay_into(*workspace, blocks, how, false, add, silent_, {},
                                             table.deploys ? begins_ : execute::JoinOptions())
                      : execute::replay_on(table.deploys ? nullptr : &deployed_, blocks, how, false,
                                           add, silent_, {});
        if (!done) give_up(done.error().message);
        phases[Phase::other] += done->wall - phases.sum();
        runs::KeptRun run;
        run.backend = "cpu";
        run.strategy = name_of(how.strategy.strategy);
        run.workers = workers;
        run.last_phases = phases;
        const auto times = runs::busy_time(run, recording->finish());
        if (!times) give_up("spans were dropped");
        row.add(*times, done->wall, took);
        workspace.reset();
        scratch_.clear();
    }

    std::unique_ptr<store::Workspace> new_workspace(bool empty) {
        scratch_.clear();
        auto made = store::Workspace::open(scratch_.folder());
        if (!made) give_up(made.error().message);
        if (empty) return *std::move(made);
        const auto deployed = execute::replay_into(**made, first_block(), plainly(), false,
                                                   no_report, silent_, {}, begins_);
        if (!deployed) give_up(deployed.error().message);
        return *std::move(made);
    }

    [[nodiscard]] std::span<const execute::ReplaySource> first_block() const {
        return std::span(blocks_).first(1);
    }
    [[nodiscard]] double speed_up(unsigned workers) const {
        return ratio(pools_.at(1).wall.median(), pools_.at(workers).wall.median());
    }
    [[nodiscard]] static double by_busy(const Table& table, unsigned workers) {
        return workers * ratio(table.rows.at(1).of(Phase::execute),
                               table.rows.at(workers).of(Phase::execute));
    }
    /// `stages`: whose times are divided by the pool's speed-up.
    [[nodiscard]] Nanoseconds bound(const Table& table, unsigned workers, const Row& stages) const {
        return std::max(
            table.rows.at(workers).longest_serial().second,
            static_cast<Nanoseconds>(static_cast<double>(stages.stages()) / speed_up(workers)));
    }

    void print(const Table& table) const {
        fmt::print("\n{}, {}\n"
                   "{:>7} {:>9} {:>8} {:>12} {:>9} {:>7} {:>5} {:>9} {:>8}  {:<34} {:>8} {:>8} "
                   "{:>10} {:>8}\n",
                   table.into == Into::memory ? "replay in memory" : "replay into a workspace",
                   table.deploys ? "its first block deploys" : "after the block that deploys",
                   "workers", "wall ms", "speed-up", "processor ms", "exec busy", "by busy", "of S",
                   "exec wall", "speed-up", "serial ms", "stages", "bound", "wall/bound",
                   "wall/own");
        const Row& one = table.rows.at(1);
        for (const auto& [workers, row] : table.rows) {
            const auto [stage, serial] = row.longest_serial();
            const Nanoseconds wall = row.wall.median();
            fmt::print("{:>7} {:>9.1f} {:>8.2f} {:>12.1f} {:>9.1f} {:>7.2f} {:>5.2f} {:>9.1f} "
                       "{:>8.2f}  {:<34} {:>8.1f} {:>8.1f} {:>10.2f} {:>8.2f}\n",
                       workers, ms(wall), ratio(one.wall.median(), wall),
                       ms(row.processor.median()), ms(row.of(Phase::execute)),
                       by_busy(table, workers), by_busy(table, workers) / speed_up(workers),
                       ms(row.execute_wall.median()),
                       ratio(one.execute_wall.median(), row.execute_wall.median()),
                       fmt::format("{:.1f} ({})", ms(serial), stage), ms(row.stages()),
                       ms(bound(table, workers, one)), ratio(wall, bound(table, workers, one)),
                       ratio(wall, bound(table, workers, row)));
        }
        fmt::print("  busy ms by stage\n{:>7}", "workers");
        for (std::size_t i = 0; i < execute::phase_count; ++i)
            if (one.busy[i].median() != 0) fmt::print(" {:>9}", name_of(static_cast<Phase>(i)));
        for (const auto& [workers, row] : table.rows) {
            fmt::print("\n{:>7}", workers);
            for (std::size_t i = 0; i < execute::phase_count; ++i)
                if (one.busy[i].median() != 0) fmt::print(" {:>9.1f}", ms(row.busy[i].median()));
        }
        fmt::print("\n");
    }

    const execute::JoinOptions begins_{.beginning = {.of_chain = true}};
    Settings settings_;
    SilentProgress silent_;
    std::shared_ptr<alkanes::Contracts> contracts_ = std::make_shared<alkanes::Contracts>();
    std::vector<execute::ReplaySource> blocks_; ///< the first one deploys
    bench::RecordedBlocks calls_;
    execute::LayeredState deployed_;
    std::map<unsigned, BarePool> pools_; ///< by workers
    std::vector<Table> tables_;
    Scratch scratch_;
};

Settings settings;
std::unique_ptr<Scaling> measured;

void scaling(benchmark::State& bench) {
    measured = std::make_unique<Scaling>(settings);
    for (auto _ : bench) measured->measure();
    measured->count(bench);
}
BENCHMARK(scaling)->Iterations(1)->Unit(benchmark::kMillisecond);

/// The value of `--NAME=VALUE`.
std::optional<std::string_view> value_of(std::string_view argument, std::string_view name) {
    if (!argument.starts_with("--") || !argument.substr(2).starts_with(name)) return std::nullopt;
    const std::string_view rest = argument.substr(2 + name.size());
    return rest.starts_with('=') ? std::optional(rest.substr(1)) : std::nullopt;
}
bool read_number(std::string_view text, std::uint32_t& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && number != 0;
}
bool read(std::string_view argument, Settings& into) {
    if (const auto turns = value_of(argument, "turns")) return read_number(*turns, into.turns);
    if (const auto tasks = value_of(argument, "tasks")) return read_number(*tasks, into.tasks);
    if (const auto blocks = value_of(argument, "blocks")) return read_number(*blocks, into.blocks);
    if (const auto recipe = value_of(argument, "recipe")) {
        into.recipe = *recipe;
        return recipes::find_recipe(into.recipe).ok();
    }
    if (const auto strategy = value_of(argument, "strategy")) {
        const auto named = execute::strategy_named(*strategy);
        into.strategy = named.value_or(into.strategy);
        return named.has_value();
    }
    if (const auto folder = value_of(argument, "folder")) {
        into.folder = *folder;
        return true;
    }
    return false;
}

} // namespace

int main(int argc, char** argv) {
    bool text = true; // the tables would not be JSON
    for (int i = 1; i < argc; ++i)
        if (const auto format = value_of(argv[i], "benchmark_format")) text = *format == "console";
    benchmark::Initialize(&argc, argv);
    for (int i = 1; i < argc; ++i)
        if (!read(argv[i], settings))
            give_up(
                fmt::format("{}: expected --recipe=NAME, --strategy=NAME, --turns=N, --tasks=N, "
                            "--blocks=N or --folder=DIR",
                            argv[i]));
    benchmark::RunSpecifiedBenchmarks();
    if (text && measured) measured->print();
    measured.reset();
    return 0;
}
