// Reading the state of a block from an indexer's database: 2,000 point reads (issue 19: ≤ 50 ms
// from a warm database of 10 million keys). BLOCKLOOM_NODE_KEYS: how many keys it has, 1,000,000
// unless set.
#include "alkanes/state_keys.h"
#include "range/metashrew_state.h"
#include "store/metashrew/node_database.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include <cstdlib>
#include <filesystem>
#include <random>

using namespace blockloom;

namespace {

constexpr std::uint64_t first = 890'000, blocks = 8'000, tip = first + blocks, reads = 2'000;
constexpr std::uint64_t contracts = 20'000;
/// Every eighth key is written eight times: it has entries above the height.
constexpr std::uint64_t often = 8;

std::uint64_t key_count() {
    const char* const given = std::getenv("BLOCKLOOM_NODE_KEYS");
    return given != nullptr ? std::strtoull(given, nullptr, 10) : 1'000'000;
}

alkanes::AlkaneId contract_of(std::uint64_t number) {
    return {2, number % contracts};
}

std::string name_of(std::uint64_t number) {
    return fmt::format("/accounts/{}", number);
}

/// Text, as version 9 writes it; made once for all benchmarks of the process.
class Node {
public:
    explicit Node(std::uint64_t keys) {
        std::string name = std::filesystem::temp_directory_path() / "blockloom-bench-XXXXXX";
        if (::mkdtemp(name.data()) == nullptr) std::abort();
        path = name;
        rocksdb::Options options;
        options.create_if_missing = true;
        options.write_buffer_size = std::size_t{256} << 20;
        options.IncreaseParallelism(2);
        rocksdb::DB* opened = nullptr;
        if (!rocksdb::DB::Open(options, name, &opened).ok()) std::abort();
        const std::unique_ptr<rocksdb::DB> db(opened);
        rocksdb::WriteBatch batch;
        const auto write = [&](bool now) {
            rocksdb::WriteOptions how;
            how.disableWAL = true;
            if (!now && batch.Count() < 10'000) return;
            if (!db->Write(how, &batch).ok()) std::abort();
            batch.Clear();
        };
        const auto put = [&](const std::string& key, std::string_view value) {
            if (!batch.Put(key, rocksdb::Slice(value.data(), value.size())).ok()) std::abort();
            write(false);
        };
        const auto four = [](std::uint64_t number) {
            return std::string(reinterpret_cast<const char*>(&number), 4);
        };
        for (std::uint64_t number = 0; number < keys; ++number) {
            const std::string key = "/alkanes/" + alkanes::id_bytes(contract_of(number)) +
                                    "/storage/" + name_of(number);
            const std::uint64_t entries = number % often == 0 ? often : 1;
            put(key + "/length", std::to_string(entries));
            for (std::uint64_t i = 0; i < entries; ++i)
                put(fmt::format("{}/{}", key, i),
                    fmt::format("{}:{:032x}",
                                first + (entries == 1 ? number % 4'000 : i * blocks / often),
                                number + i));
        }
        put("/alkanes/sequence/length", "1");
        put("/alkanes/sequence/0", fmt::format("{}:{:032x}", first, 1));
        put("__INTERNAL/height", four(tip));
        write(true);
        if (!db->Flush({}).ok() || !db->CompactRange({}, nullptr, nullptr).ok()) std::abort();
    }
    ~Node() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
    Node(const Node&) = delete;
    Node& operator=(const Node&) = delete;

    std::filesystem::path path;
};

void read_state_of_a_block(benchmark::State& state) {
    static const Node node(key_count());
    auto opened =
        store::NodeDatabase::open({.folder = node.path, .fork = {}, .label = {}, .scratch = {}});
    if (!opened) return state.SkipWithError(opened.error().message.c_str());
    const std::shared_ptr<const store::NodeDatabase> database = *std::move(opened);
    const range::MetashrewState view(database, first + blocks / 2);
    std::mt19937_64 random(1);
    std::vector<state::Key> keys;
    const bool all_often = state.range(0) != 0;
    for (std::uint64_t i = 0; i < reads; ++i) {
        std::uint64_t number = random() % key_count();
        if (all_often) number -= number % often;
        keys.push_back(alkanes::storage_key(contract_of(number), name_of(number)));
    }
    for (auto _ : state)
        for (const state::Key& key : keys) {
            const auto value = view.get(key);
            if (!value || !*value) return state.SkipWithError("a value is missing");
        }
    state.SetLabel(fmt::format("{} keys, {} reads{}", key_count(), reads,
                               all_often ? ", all with 4 entries above the height" : ""));
}
BENCHMARK(read_state_of_a_block)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
