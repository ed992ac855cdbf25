// Keys to dense ids, one core, against std::unordered_map in the same process (issue 2: ≥ 8 M/s).
#include "trace/key_interner.h"
#include "zipf_trace.h"

#include <benchmark/benchmark.h>

#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>

using namespace blockloom;
using namespace blockloom::bench;

namespace {

constexpr std::size_t touches = 10'000'000;
constexpr std::size_t key_bytes = 36; ///< an outpoint: hash and index

/// Ten million touches of a million keys, as a reader meets them: views into a buffer.
class Keys {
public:
    explicit Keys(double skew) : text_(std::size_t{universe} * key_bytes, '\0') {
        std::mt19937_64 random(5);
        for (std::size_t at = 0; at < text_.size(); at += sizeof(std::uint32_t)) {
            const auto word = static_cast<std::uint32_t>(random());
            std::memcpy(text_.data() + at, &word, sizeof word);
        }
        const Zipf draw(skew);
        views.reserve(touches);
        for (std::size_t i = 0; i < touches; ++i)
            views.push_back(std::string_view(text_).substr(draw(random) * key_bytes, key_bytes));
    }
    std::vector<std::string_view> views;

private:
    std::string text_;
};

/// Seconds, and how many distinct keys there were.
struct Run {
    double seconds = std::numeric_limits<double>::max();
    std::size_t distinct = 0;
};

/// Keeps the strings, as the interner does.
Run with_map_of_strings(const Keys& keys) {
    Run run;
    CpuWatch watch;
    std::unordered_map<std::string, trace::KeyId> ids;
    std::uint64_t sum = 0;
    for (const std::string_view key : keys.views)
        sum +=
            ids.try_emplace(std::string(key), static_cast<trace::KeyId>(ids.size())).first->second;
    benchmark::DoNotOptimize(sum);
    run.seconds = watch.lap();
    run.distinct = ids.size();
    return run;
}

/// Keeps only views: less work than the interner does.
Run with_map_of_views(const Keys& keys) {
    Run run;
    CpuWatch watch;
    std::unordered_map<std::string_view, trace::KeyId> ids;
    std::uint64_t sum = 0;
    for (const std::string_view key : keys.views)
        sum += ids.try_emplace(key, static_cast<trace::KeyId>(ids.size())).first->second;
    benchmark::DoNotOptimize(sum);
    run.seconds = watch.lap();
    run.distinct = ids.size();
    return run;
}

void keys_to_ids(benchmark::State& state) {
    const Keys keys(static_cast<double>(state.range(0)) / 10);
    std::vector<trace::KeyId> ids(touches);
    Run best;
    std::size_t memory = 0;
    for (auto _ : state) {
        CpuWatch watch;
        trace::KeyInterner interner;
        interner.insert(keys.views, ids);
        const double seconds = watch.lap();
        state.SetIterationTime(seconds);
        best.seconds = std::min(best.seconds, seconds);
        best.distinct = interner.size();
        memory = interner.memory();
    }
    const Run strings = with_map_of_strings(keys), views = with_map_of_views(keys);
    if (strings.distinct != best.distinct) state.SkipWithError("the peer found other keys");
    state.counters["M_keys_per_s"] = static_cast<double>(touches) / best.seconds * 1e-6;
    state.counters["x_map_of_strings"] = strings.seconds / best.seconds;
    state.counters["x_map_of_views"] = views.seconds / best.seconds;
    state.counters["bytes_per_key"] =
        static_cast<double>(memory) / static_cast<double>(best.distinct);
}

} // namespace

BENCHMARK(keys_to_ids)
    ->ArgName("s_x10")
    ->Arg(10)
    ->Arg(8)
    ->Arg(0)
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime();

BENCHMARK_MAIN();
