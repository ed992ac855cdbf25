// Committing blocks to a workspace against a bare RocksDB WriteBatch of the same keys in the same
// process, turn by turn; and opening a workspace of a million keys (issue 4: ≤ 3.5 µs a key, ≤ 2.2
// µs in bulk mode, ≤ 1.4 times the bare batch).
#include "base/clock.h"
#include "store/document_folder.h"
#include "store/workspace.h"

#include <benchmark/benchmark.h>
#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <random>
#include <set>
#include <utility>

using namespace blockloom;

namespace {

constexpr std::size_t keys_of_block = 8'000, universe = 1'000'000;

/// A folder for one benchmark, gone afterwards.
class Scratch {
public:
    Scratch() {
        std::string name = std::filesystem::temp_directory_path() / "blockloom-bench-XXXXXX";
        if (::mkdtemp(name.data()) == nullptr) std::abort();
        path = name;
    }
    ~Scratch() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    std::filesystem::path path;
};

/// A storage key as Alkanes has them: kind, id, a name.
std::string key_of(std::uint64_t number) {
    std::string key(1, '\x01');
    const std::uint64_t contract = number % 977;
    key.append("\x02", 1).append(15, '\0').append(reinterpret_cast<const char*>(&contract),
                                                  sizeof contract);
    key.append(8, '\0').append("/balances/").append(std::to_string(number));
    return key;
}

std::string value_of(std::uint64_t number) {
    std::string value(16, '\0');
    std::copy_n(reinterpret_cast<const char*>(&number), sizeof number, value.data());
    return value;
}

/// A block's worth of changes: sorted keys of a million.
std::vector<state::Change> changes_of_block(std::mt19937_64& random) {
    std::set<std::string> keys;
    while (keys.size() < keys_of_block) keys.insert(key_of(random() % universe));
    std::vector<state::Change> changes;
    for (const std::string& key : keys)
        changes.push_back({key, value_of(random()), value_of(random())});
    return changes;
}

/// Processor time of this thread: on a busy machine the wall measures the neighbours.
class CpuWatch {
public:
    Nanoseconds lap() {
        const Nanoseconds now = read();
        return now - std::exchange(start_, now);
    }

private:
    static Nanoseconds read() {
        timespec time{};
        ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return Nanoseconds{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
    }
    Nanoseconds start_ = read();
};

Nanoseconds median(std::vector<Nanoseconds> times) {
    std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2),
                     times.end());
    return times[times.size() / 2];
}

double mean(const std::vector<Nanoseconds>& times) {
    double sum = 0;
    for (const Nanoseconds time : times) sum += static_cast<double>(time);
    return sum / static_cast<double>(times.size());
}

/// A bare database with the defaults.
std::unique_ptr<rocksdb::DB> bare_database(const std::filesystem::path& path) {
    rocksdb::Options options;
    options.create_if_missing = true;
    rocksdb::DB* db = nullptr;
    if (!rocksdb::DB::Open(options, path, &db).ok()) std::abort();
    return std::unique_ptr<rocksdb::DB>(db);
}

Nanoseconds bare_write(rocksdb::DB& db, const std::vector<state::Change>& changes, bool logged) {
    Stopwatch watch;
    rocksdb::WriteBatch batch;
    for (const state::Change& change : changes) {
        const std::string_view key = change.key.bytes();
        const std::string_view value = change.after.bytes();
        batch.Put(rocksdb::Slice(key.data(), key.size()),
                  rocksdb::Slice(value.data(), value.size()));
    }
    rocksdb::WriteOptions options;
    options.disableWAL = !logged;
    if (!db.Write(options, &batch).ok()) std::abort();
    return watch.lap();
}

/// argument 0: bulk mode.
void commit(benchmark::State& state) {
    const bool bulk = state.range(0) != 0;
    const Scratch scratch;
    auto opened = store::Workspace::open(scratch.path / "ours", {.bulk = bulk});
    if (!opened) std::abort();
    store::Workspace& workspace = **opened;
    const auto bare = bare_database(scratch.path / "bare");
    std::mt19937_64 random(1);
    std::vector<Nanoseconds> ours, ours_cpu, theirs;
    std::uint64_t height = 0;
    for (auto _ : state) {
        const auto changes = changes_of_block(random);
        const auto peer = [&] { theirs.push_back(bare_write(*bare, changes, true)); };
        if (height % 2 == 0) peer(); // who goes first has cold or warm caches: take turns
        Stopwatch watch;
        CpuWatch cpu;
        if (!workspace.commit({.height = ++height, .changes = changes})) std::abort();
        ours.push_back(watch.lap());
        ours_cpu.push_back(cpu.lap());
        state.SetIterationTime(static_cast<double>(ours.back()) * 1e-9);
        if (height % 2 == 0) peer();
    }
    const double per_key = 1.0 / (1000.0 * keys_of_block);
    state.counters["us_a_key"] = static_cast<double>(median(ours)) * per_key;
    state.counters["us_a_key_mean"] = mean(ours) * per_key;
    state.counters["cpu_us_a_key"] = static_cast<double>(median(ours_cpu)) * per_key;
    state.counters["bare_us_a_key"] = static_cast<double>(median(theirs)) * per_key;
    state.counters["ratio"] =
        static_cast<double>(median(ours)) / static_cast<double>(median(theirs));
    state.counters["ratio_of_means"] = mean(ours) / mean(theirs);
}

/// Blocks one after the other, nothing in between, the last checkpoint included: what the threads
/// behind it cost counts. Argument 0: bulk mode.
void commit_without_pause(benchmark::State& state) {
    constexpr std::size_t blocks = 120;
    std::mt19937_64 random(3);
    std::vector<std::vector<state::Change>> changes(blocks);
    for (auto& each : changes) each = changes_of_block(random);
    std::vector<Nanoseconds> wall;
    const std::clock_t before = std::clock();
    for (auto _ : state) {
        const Scratch scratch;
        Stopwatch watch;
        auto workspace = store::Workspace::open(scratch.path, {.bulk = state.range(0) != 0});
        if (!workspace) std::abort();
        for (std::size_t i = 0; i < blocks; ++i)
            if (!(*workspace)->commit({.height = i + 1, .changes = changes[i]})) std::abort();
        if (!(*workspace)->checkpoint()) std::abort();
        wall.push_back(watch.lap());
        state.SetIterationTime(static_cast<double>(wall.back()) * 1e-9);
    }
    const double keys = static_cast<double>(blocks * keys_of_block);
    state.counters["us_a_key"] = static_cast<double>(median(wall)) / keys / 1000;
    state.counters["cpu_us_a_key_all_threads"] = static_cast<double>(std::clock() - before) *
                                                 (1e6 / CLOCKS_PER_SEC) / keys /
                                                 static_cast<double>(state.iterations());
}

/// Opens a workspace of a million keys and reads one of them. Argument 0: 1: they were written in
/// bulk mode; 0: in blocks through the log, what of it is in no table yet is read back.
void open_and_read(benchmark::State& state) {
    const bool bulk = state.range(0) != 0;
    const Scratch scratch;
    {
        auto workspace = store::Workspace::open(scratch.path, {.bulk = bulk});
        if (!workspace) std::abort();
        std::vector<std::string> keys(universe);
        for (std::uint64_t i = 0; i < universe; ++i) keys[i] = key_of(i);
        for (std::uint64_t first = 0; first < universe; first += keys_of_block) {
            std::vector<state::Change> changes;
            for (std::uint64_t i = first; i < std::min(first + keys_of_block, universe); ++i)
                changes.push_back({keys[i], state::Value(), value_of(i)});
            std::sort(changes.begin(), changes.end(),
                      [](const auto& x, const auto& y) { return x.key < y.key; });
            const std::uint64_t height = first / keys_of_block + 1;
            if (!(*workspace)->commit({.height = height, .changes = changes})) std::abort();
        }
    }
    std::mt19937_64 random(2);
    for (auto _ : state) {
        // What one opening reads back from the log the next one need not: each has its own copy.
        state.PauseTiming();
        const Scratch copy;
        std::filesystem::copy(scratch.path, copy.path / "copy",
                              std::filesystem::copy_options::recursive);
        state.ResumeTiming();
        auto workspace = store::Workspace::open(copy.path / "copy");
        if (!workspace) std::abort();
        const std::uint64_t number = random() % universe;
        const auto value = (*workspace)->state().get(key_of(number));
        if (!value || value->bytes() != value_of(number)) std::abort();
        state.PauseTiming();
        workspace->reset();
        state.ResumeTiming();
    }
}

/// Lists 10,000 runs of 20 kB.
void list_runs(benchmark::State& state) {
    constexpr std::size_t runs = 10'000;
    const Scratch scratch;
    const store::DocumentFolder kept(scratch.path / store::runs_folder);
    std::string content(20'000, '\0');
    std::mt19937_64 random(4);
    for (std::size_t i = 0; i < runs; ++i) {
        std::generate(content.begin(), content.end(), [&] { return static_cast<char>(random()); });
        if (!kept.keep(std::to_string(i), std::string(300, 's'), content)) std::abort();
    }
    for (auto _ : state) {
        const auto list = kept.list();
        if (!list || list->size() != runs) std::abort();
    }
}

void state_digest(benchmark::State& state) {
    const Scratch scratch;
    auto workspace = store::Workspace::open(scratch.path, {.bulk = true});
    if (!workspace) std::abort();
    state::WriteSet writes;
    for (std::uint64_t i = 0; i < universe; ++i) writes.emplace_back(key_of(i), value_of(i));
    if (!(*workspace)->put(writes) || !(*workspace)->checkpoint()) std::abort();
    for (auto _ : state)
        if (!(*workspace)->state_digest()) std::abort();
    state.counters["keys/s"] = benchmark::Counter(static_cast<double>(universe),
                                                  benchmark::Counter::kIsIterationInvariantRate);
}

BENCHMARK(commit)->ArgName("bulk")->Arg(0)->Arg(1)->Iterations(150)->UseManualTime()->Unit(
    benchmark::kMillisecond);
BENCHMARK(commit_without_pause)
    ->ArgName("bulk")
    ->Arg(0)
    ->Arg(1)
    ->Iterations(3)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(open_and_read)
    ->ArgName("bulk")
    ->Arg(0)
    ->Arg(1)
    ->Iterations(10)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(list_runs)->Iterations(5)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(state_digest)->Iterations(3)->Unit(benchmark::kMillisecond)->UseRealTime();

} // namespace

BENCHMARK_MAIN();
