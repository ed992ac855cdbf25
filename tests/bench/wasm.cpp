// The WebAssembly engines beside their peers, each pair in one process and in turns, best of all
// turns, by processor time: the interpreter beside wabt's; the native compiler (wasm_native.cpp)
// beside wasm2c with the C compiler, with our fuel checks put in and without. Ends with a table of
// all ratios and the bars of issue 3.
#include "wasm_bench.h"
#include "wasm_metering.h"
#include "wasm_modules.h"
#ifdef BLOCKLOOM_HAVE_WABT
#include "wabt/interpreter.h"
#endif

#include <cstdio>
#include <string_view>

using namespace blockloom;
using namespace blockloom::bench;

namespace {

wasm::RunResult interpret(wasm::Instance& instance, const std::string& name, std::uint32_t rounds) {
    instance.reset();
    const wasm::Cell argument = rounds;
    return wasm::Interpreter(instance).invoke(function_named(instance.program(), name),
                                              {&argument, 1});
}

#ifdef BLOCKLOOM_HAVE_WABT
void interpreter_beside_wabt(benchmark::State& state, const Kernel& kernel) {
    static const auto instance = instance_of(kernel_program());
    static reference::Interpreter peer(kernel_bytes().data(), kernel_bytes().size());
    if (!peer.error().empty()) give_up("wabt: " + peer.error());
    wasm::RunResult mine;
    reference::Outcome theirs;
    const Best best = in_turns(
        state, [&] { mine = interpret(*instance, kernel.name, kernel.rounds); },
        [&] { theirs = peer.call(kernel.name, {kernel.rounds}); });
    if (mine.results != theirs.results) give_up(kernel.name + ": another result than wabt's");
    state.counters["x_wabt"] = best.ratio();
    state.counters["M_wasm/s"] = static_cast<double>(mine.steps) / best.ours * 1e-6;
    note({"interpreter/" + kernel.name, milliseconds(best.ours), milliseconds(best.peer),
          best.ratio(), ">= 6.5"});
}
#endif

/// Exact fuel beside counted: above 1, exact is the faster one.
void exact_beside_counted(benchmark::State& state, const Kernel& kernel) {
    static const auto exact = instance_of(kernel_program(wasm::FuelRule::exact)),
                      counted = instance_of(kernel_program());
    wasm::RunResult mine, theirs;
    const Best best = in_turns(
        state, [&] { mine = interpret(*exact, kernel.name, kernel.rounds); },
        [&] { theirs = interpret(*counted, kernel.name, kernel.rounds); });
    if (mine.results != theirs.results) give_up(kernel.name + ": another result by exact fuel");
    state.counters["x_counted"] = best.ratio();
    state.counters["fuel"] =
        static_cast<double>(mine.fuel_used) / static_cast<double>(theirs.fuel_used);
    note({"interpreter, exact fuel/" + kernel.name, milliseconds(best.ours),
          milliseconds(best.peer), best.ratio(), ""});
}

/// A clean instance from the pool, one call, and back: nanoseconds of one.
void instantiate_and_call(benchmark::State& state, const std::string& function) {
    constexpr int batch = 1000;
    static wasm::InstancePool pool(kernel_program(), {});
    const std::uint32_t index = function_named(pool.program(), function);
    double best = std::numeric_limits<double>::max();
    for ([[maybe_unused]] const auto& _ : state) {
        CpuWatch watch;
        for (int i = 0; i < batch; ++i) {
            const wasm::Cell argument = 0;
            auto lease = pool.acquire();
            const wasm::RunResult run =
                std::get<wasm::InstancePool::Lease>(lease).interpreter().invoke(index,
                                                                                {&argument, 1});
            if (run.outcome != wasm::Outcome::returned) give_up(function + " did not return");
        }
        const double seconds = watch.lap();
        best = std::min(best, seconds / batch);
        state.SetIterationTime(seconds);
    }
    state.counters["ns"] = best * 1e9;
    note({"instance, interpreter, " + function + " (ns)", "", "", best * 1e9, ""});
}

/// Megabytes of bodies a second: decoding, validating and lowering a module of 2 MB of code.
void lowering(benchmark::State& state) {
    const auto shared =
        std::make_shared<const Bytes>(enlarged(*kernel_program()->module, 2'000'000));
    double decode = std::numeric_limits<double>::max(), validate = decode, lower = decode,
           exact = decode;
    std::uint64_t bytes = 0;
    for ([[maybe_unused]] const auto& _ : state) {
        CpuWatch watch;
        auto decoded = wasm::decode(shared);
        const double first = watch.lap();
        auto module = std::make_shared<wasm::Module>(std::move(std::get<wasm::Module>(decoded)));
        watch.lap();
        if (wasm::validate(*module)) give_up("the enlarged module is not valid");
        const double second = watch.lap();
        benchmark::DoNotOptimize(must(wasm::lower(module)));
        const double third = watch.lap();
        benchmark::DoNotOptimize(must(wasm::lower(module, wasm::FuelRule::exact)));
        exact = std::min(exact, watch.lap());
        bytes = code_bytes(*module);
        decode = std::min(decode, first);
        validate = std::min(validate, second);
        lower = std::min(lower, third);
        state.SetIterationTime(first + second + third);
    }
    const auto tell = [&](const std::string& name, double seconds, const std::string& bar) {
        const double rate = static_cast<double>(bytes) / seconds * 1e-6;
        state.counters[name + "_MB/s"] = rate;
        note({"lowering, " + name + " (MB/s)", milliseconds(seconds), "", rate, bar});
    };
    tell("decode", decode, "");
    tell("validate", validate, "");
    tell("lower", lower, ">= 20");
    tell("lower, exact fuel", exact, "");
    tell("all three", decode + validate + lower, ">= 20");
}

/// The metered module must count what our lowering counts: else the native peer would pay another
/// price.
void check_metering() {
    constexpr std::int64_t fuel = std::int64_t{1} << 62;
    const auto program = kernel_program();
    const auto plain = instance_of(program);
    const auto metered = instance_of(must(
        wasm::lower(must(wasm::load_module(with_fuel_checks(*program->module, fuel), "metered")))));
    for (const Kernel& kernel : kernels()) {
        const wasm::RunResult one = interpret(*plain, kernel.name, 5),
                              other = interpret(*metered, kernel.name, 5);
        const auto counter =
            std::get<std::shared_ptr<wasm::GlobalCell>>(*metered->exported("fuel"));
        const std::uint64_t used = static_cast<std::uint64_t>(fuel) - counter->value;
        if (one.results != other.results || one.steps != used)
            give_up(kernel.name + ": the metered module used " + std::to_string(used) +
                    " fuel, ours " + std::to_string(one.steps));
    }
}

} // namespace

int main(int argc, char** argv) {
    // Standard output belongs to the document, where one is asked for.
    const bool document = std::any_of(argv, argv + argc, [](const char* argument) {
        return std::string_view(argument) == "--benchmark_format=json";
    });
    benchmark::Initialize(&argc, argv);
    check_metering();
#ifdef BLOCKLOOM_HAVE_WABT
    for (const Kernel& kernel : kernels())
        benchmark::RegisterBenchmark(("interpreter/" + kernel.name).c_str(),
                                     interpreter_beside_wabt, kernel)
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond);
#endif
    for (const Kernel& kernel : kernels())
        benchmark::RegisterBenchmark(("interpreter/exact/" + kernel.name).c_str(),
                                     exact_beside_counted, kernel)
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond);
    for (const std::string function : {"nothing", "pages_8"})
        benchmark::RegisterBenchmark(("instance/interpreter/" + function).c_str(),
                                     instantiate_and_call, function)
            ->UseManualTime()
            ->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark("lowering", lowering)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
#ifdef BLOCKLOOM_HAVE_NATIVE
    register_native();
#endif
    benchmark::RunSpecifiedBenchmarks();
    print_table(document ? stderr : stdout);
    return 0;
}
