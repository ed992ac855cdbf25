// What the parts of the WebAssembly benchmark share.
#pragma once

#include "cpu_watch.h"
#include "wasm/instance_pool.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace blockloom::bench {

struct Kernel {
    std::string name;
    std::uint32_t rounds = 0;
};
[[nodiscard]] const std::vector<Kernel>& kernels();
/// The module that they are in.
[[nodiscard]] const Bytes& kernel_bytes();
[[nodiscard]] std::shared_ptr<const wasm::Program>
kernel_program(wasm::FuelRule fuel = wasm::FuelRule::counted);
/// An exported function's index.
[[nodiscard]] std::uint32_t function_named(const wasm::Program& program, const std::string& name);

[[noreturn]] void give_up(const std::string& why);

template <typename T> T must(Result<T> result) {
    if (!result) give_up(result.error().message);
    return std::move(*result);
}
[[nodiscard]] std::shared_ptr<wasm::Instance>
instance_of(std::shared_ptr<const wasm::Program> program);

/// A line of the table at the end.
struct Row {
    std::string name, ours, peer;
    double ratio = 0;
    std::string bar;
};
/// Adds a row, or replaces the one of that name: a benchmark's last run is the one that counts.
void note(Row row);
/// The rows, and the geometric mean and the worst of each group that has a bar for them; nothing
/// where no benchmark ran.
void print_table(std::FILE* to);
[[nodiscard]] std::string milliseconds(double seconds);

/// Best seconds of two sides, taken in turns.
struct Best {
    double ours = std::numeric_limits<double>::max(), peer = ours;
    [[nodiscard]] double ratio() const { return peer / ours; }
};

template <typename Ours, typename Peer>
Best in_turns(benchmark::State& state, Ours ours, Peer peer) {
    Best best;
    for ([[maybe_unused]] const auto& _ : state) {
        CpuWatch watch;
        ours();
        const double mine = watch.lap();
        peer();
        best.peer = std::min(best.peer, watch.lap());
        best.ours = std::min(best.ours, mine);
        state.SetIterationTime(mine);
    }
    return best;
}

/// The native compiler's benchmarks (wasm_native.cpp).
void register_native();

} // namespace blockloom::bench
