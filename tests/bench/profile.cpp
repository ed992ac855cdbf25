// What a span costs, against the clock that everybody uses, and a trace against its spans.
#include "profile/histogram.h"
#include "profile/recorder.h"
#include "profile/trace_bytes.h"

#include <benchmark/benchmark.h>

using namespace blockloom;
using namespace blockloom::profile;

namespace {

/// Two readings of the clock and the write: what a hook does. `ns_a_span` is its whole cost.
void record_span(benchmark::State& state) {
    auto recorder = std::make_unique<Recorder>(std::vector<std::string>{"message"});
    LaneWriter* lane = &recorder->lane("worker 0", LaneKind::worker);
    std::uint32_t count = 0;
    for (auto _ : state) {
        const Tick begin = tick();
        lane->add(begin, tick(), {0, Category::message, 1, count, count});
        if (++count % (1U << 20U) == 0) { // memory is part of the cost, so lanes are replaced
            recorder = std::make_unique<Recorder>(std::vector<std::string>{"message"});
            lane = &recorder->lane("worker 0", LaneKind::worker);
        }
    }
    state.SetItemsProcessed(state.iterations());
    state.SetLabel(ticks_of_processor() ? "processor's counter" : "steady clock");
}
BENCHMARK(record_span);

/// The peer: two readings of the steady clock, nothing kept.
void two_steady_clocks(benchmark::State& state) {
    for (auto _ : state) {
        benchmark::DoNotOptimize(now_ns());
        benchmark::DoNotOptimize(now_ns());
    }
    state.SetItemsProcessed(state.iterations());
}
BENCHMARK(two_steady_clocks);

void histogram_add(benchmark::State& state) {
    Histogram histogram;
    std::uint64_t value = 1;
    for (auto _ : state) {
        value = value * 6364136223846793005U + 1442695040888963407U;
        histogram.add(static_cast<Nanoseconds>(value >> 40U));
    }
    benchmark::DoNotOptimize(histogram.count());
    state.SetItemsProcessed(state.iterations());
}
BENCHMARK(histogram_add);

Trace many_spans(std::size_t count) {
    Recorder recorder({"message"});
    LaneWriter& lane = recorder.lane("worker 0", LaneKind::worker);
    for (std::size_t i = 0; i < count; ++i) {
        const Tick begin = tick();
        const auto number = static_cast<std::uint32_t>(i);
        lane.add(begin, tick(), {0, Category::message, 1, number, number});
    }
    return recorder.finish();
}

void write_and_read(benchmark::State& state) {
    const Trace trace = many_spans(100'000);
    std::size_t size = 0;
    for (auto _ : state) {
        const Bytes bytes = trace_bytes(trace);
        size = bytes.size();
        const auto again = read_trace(bytes, "bench");
        if (!again) state.SkipWithError("not read back");
    }
    state.SetItemsProcessed(state.iterations() * 100'000);
    state.counters["bytes_a_span"] = static_cast<double>(size) / 100'000;
}
BENCHMARK(write_and_read);

} // namespace

BENCHMARK_MAIN();
