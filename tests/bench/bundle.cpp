// Opening a state bundle of 100 blocks (issue 19: ≤ 0.2 s), as large as real blocks make it: fewer
// than 2,000 keys a block, and the code of the contracts that they
// call.
#include "alkanes/state_keys.h"
#include "base/file.h"
#include "base/sha256.h"
#include "range/state_bundle.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <random>

using namespace blockloom;

namespace {

constexpr std::uint64_t blocks = 100, keys_a_block = 1'800, shared_keys = 200, codes = 24;
constexpr std::size_t code_bytes = 170'000; ///< gzip, which no compression makes smaller

range::StateBundle made() {
    std::mt19937_64 random(1);
    range::StateBundle bundle;
    bundle.made_by = "bench";
    const auto hash = [&] {
        Hash256 bytes{};
        for (auto& byte : bytes) byte = static_cast<Byte>(random());
        return bytes;
    };
    for (std::uint64_t i = 0; i < blocks; ++i) bundle.blocks.push_back({890'000 + i, hash()});
    const auto add = [&](state::Key key, std::string_view value) {
        bundle.entries.emplace_back(std::move(key), state::Value(value));
    };
    const auto text = [](const Hash256& bytes) {
        return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    };
    for (std::uint64_t i = 0; i < shared_keys + blocks * keys_a_block; ++i) {
        const alkanes::AlkaneId contract{2, random() % 60};
        switch (i % 4) {
        case 0: // "/tx-hashes/" of a mint, not there yet
            bundle.entries.emplace_back(
                alkanes::storage_key(contract, "/tx-hashes/" + text(hash())), state::Value());
            break;
        case 1:
            add(alkanes::storage_key(contract, fmt::format("/accounts/{}", random())),
                text(hash()).substr(0, 16));
            break;
        case 2:
            add(alkanes::balance_key(contract, {2, random() % 100'000}),
                text(hash()).substr(0, 16));
            break;
        default:
            add(alkanes::sheet_key({hash(), 0}),
                alkanes::sheet_value({{{2, 0}, 1}, {{2, 7}, random()}}));
        }
    }
    for (std::uint64_t i = 0; i < codes; ++i) {
        std::string code(code_bytes, '\0');
        for (char& byte : code) byte = static_cast<char>(random());
        add(alkanes::bytecode_key(hash()), code);
    }
    std::sort(bundle.entries.begin(), bundle.entries.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    bundle.entries.erase(
        std::unique(bundle.entries.begin(), bundle.entries.end(),
                    [](const auto& a, const auto& b) { return a.first == b.first; }),
        bundle.entries.end());
    return bundle;
}

void open_a_bundle(benchmark::State& state) {
    const auto bytes = range::bundle_bytes(made());
    if (!bytes) return state.SkipWithError(bytes.error().message.c_str());
    std::string name = std::filesystem::temp_directory_path() / "blockloom-bench-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    const std::filesystem::path file = std::filesystem::path(name) / "range.state";
    if (!write_file(file, *bytes)) std::abort();
    std::size_t keys = 0;
    for (auto _ : state) {
        auto bundle = range::read_bundle(file);
        if (!bundle) return state.SkipWithError(bundle.error().message.c_str());
        keys = bundle->entries.size();
        const range::BundleView view(*std::move(bundle), "bench");
        benchmark::DoNotOptimize(&view);
    }
    std::error_code ignored;
    std::filesystem::remove_all(name, ignored);
    state.SetLabel(fmt::format("{} keys, file of {} bytes", keys, bytes->size()));
}
BENCHMARK(open_a_bundle)->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
