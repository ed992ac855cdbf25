// What decoding the messages of a block adds to decoding the block, in turns on one core. Generated
// blocks shaped like public ones (892614: one transaction in eight carries a runestone; 2026: three
// in five mint), and the real ones where ../shared/data has them.
#include "alkanes/message_blocks.h"
#include "base/clock.h"
#include "base/file.h"
#include "places.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

using namespace blockloom;

namespace {

/// Shares of a block's transactions.
struct Shape {
    std::size_t transactions = 0;
    double messages = 0, runes = 0;
};

Bytes generated(const Shape& shape) {
    model::Dice dice(892'614);
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> share(0, 1);
    std::vector<model::Transaction> transactions;
    while (transactions.size() + 1 < shape.transactions) {
        const double drawn = share(random);
        if (drawn < shape.messages) {
            transactions.push_back(stones::carrying({stones::calling({{2, 0}, {77}})}, 1, 1));
        } else if (drawn < shape.messages + shape.runes) {
            alkanes::Runestone runes;
            runes.edicts = {{{840'000, 3}, 1'000'000, 1}};
            runes.pointer = 0;
            transactions.push_back(stones::carrying(alkanes::encode_runestone(runes), 1, 1));
        } else {
            transactions.push_back(dice.transaction(true));
        }
    }
    return stones::block_bytes(transactions);
}

struct Times {
    Nanoseconds block = 0, messages = 0;
};

void decode(benchmark::State& state, const Bytes& bytes) {
    Times times;
    std::size_t messages = 0, runestones = 0;
    for ([[maybe_unused]] const auto& _ : state) {
        Stopwatch watch;
        const auto block = chain::decode_block(nullptr, bytes, "block");
        if (!block) {
            state.SkipWithError(block.error().message.c_str());
            return;
        }
        times.block += watch.lap();
        const alkanes::BlockMessages found = alkanes::decode_messages(*block, true);
        const Nanoseconds own = watch.lap();
        times.messages += own;
        state.SetIterationTime(static_cast<double>(own) * 1e-9);
        messages = found.messages.size();
        runestones = found.transactions.size();
    }
    const auto rate = [&](Nanoseconds time) {
        return static_cast<double>(bytes.size()) * static_cast<double>(state.iterations()) /
               static_cast<double>(time) * 1e3;
    };
    state.counters["runestones"] = static_cast<double>(runestones);
    state.counters["messages"] = static_cast<double>(messages);
    state.counters["MB/s"] = rate(times.messages);
    state.counters["block_MB/s"] = rate(times.block);
    state.counters["x_block"] =
        static_cast<double>(times.messages) / static_cast<double>(times.block);
}

void add(const std::string& name, Bytes bytes) {
    benchmark::RegisterBenchmark(
        ("alkanes_decode/" + name).c_str(),
        [bytes = std::move(bytes)](benchmark::State& state) { decode(state, bytes); })
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
}

} // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    add("like_892614", generated({2'489, 0.066, 0.058}));
    add("like_2026", generated({6'000, 0.6, 0.02}));
    for (const char* name : {"892614", "849236"}) {
        const auto file =
            FileContent::read(std::filesystem::path(BLOCKLOOM_SOURCE_DIR) /
                              "../shared/data/bitcoin" / (std::string(name) + ".bin"));
        if (file) add(name, {file->bytes().begin(), file->bytes().end()});
    }
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
