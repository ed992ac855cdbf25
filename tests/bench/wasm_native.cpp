// The native compiler beside the same module through wasm2c and the C compiler.
#include "base/clock.h"
#include "native/code.h"
#include "native/runner.h"
#include "wasm_bench.h"
#include "wasm_modules.h"
#ifdef BLOCKLOOM_HAVE_WASM2C
#include "wasm2c_peer.h"
#endif

#include <sys/mman.h>

namespace blockloom::bench {
namespace {

std::shared_ptr<const native::NativeCode> kernel_code() {
    static const auto code = must(native::compile(kernel_program()));
    return code;
}

#ifdef BLOCKLOOM_HAVE_WASM2C
/// Native code is much faster: as many more rounds, so that the clock does not matter.
constexpr std::uint32_t more_rounds = 10;

void native_beside_wasm2c(benchmark::State& state, const Kernel& kernel, Wasm2c kind) {
    static const auto instance = instance_of(kernel_program());
    static native::Runner runner(*instance, kernel_code());
    const CompiledKernel peer = compiled_kernel(kind, kernel.name);
    const std::uint32_t rounds = kernel.rounds * more_rounds;
    const std::uint32_t function = function_named(instance->program(), kernel.name);
    const wasm::Cell argument = rounds;
    wasm::RunResult mine;
    std::uint64_t theirs = 0;
    const Best best = in_turns(
        state,
        [&] {
            instance->reset();
            mine = *runner.invoke(function, {&argument, 1});
        },
        [&] { theirs = peer(rounds); });
    if (mine.results != std::vector<wasm::Cell>{theirs})
        give_up(kernel.name + ": another result than wasm2c's");
    state.counters["x_wasm2c"] = best.ratio();
    state.counters["M_wasm/s"] = static_cast<double>(mine.steps) / best.ours * 1e-6;
    const bool metered = kind == Wasm2c::metered;
    note({(metered ? "native, metered peer/" : "native, plain peer/") + kernel.name,
          milliseconds(best.ours), milliseconds(best.peer), best.ratio(),
          metered ? ">= 0.7" : ">= 0.55"});
}
#endif

/// Beside code without bounds checks: what guard pages could save at most.
void native_beside_unchecked(benchmark::State& state, const Kernel& kernel) {
    static const auto instance = instance_of(kernel_program()),
                      peer = instance_of(kernel_program());
    static const auto unchecked = must(
        native::compile(kernel_program(), {}, native::Tier::optimised, native::MemoryChecks::none));
    static native::Runner runner(*instance, kernel_code()), peers_runner(*peer, unchecked);
    const wasm::Cell rounds = kernel.rounds * 10;
    const std::uint32_t function = function_named(instance->program(), kernel.name);
    wasm::RunResult mine, theirs;
    const auto run = [&](wasm::Instance& on, native::Runner& by, wasm::RunResult& result) {
        on.reset();
        if (!by.invoke(function, {&rounds, 1}, {}, result)) give_up("no stack");
    };
    const Best best = in_turns(
        state, [&] { run(*instance, runner, mine); }, [&] { run(*peer, peers_runner, theirs); });
    if (mine.results != theirs.results || mine.fuel_used != theirs.fuel_used)
        give_up(kernel.name + ": another result than without checks");
    state.counters["x_unchecked"] = best.ratio();
    note({"native, no bounds checks/" + kernel.name, milliseconds(best.ours),
          milliseconds(best.peer), best.ratio(), ""});
}

/// Exact fuel beside counted: above 1, exact is the faster one.
void exact_beside_counted(benchmark::State& state, const Kernel& kernel) {
    static const auto exact = instance_of(kernel_program(wasm::FuelRule::exact)),
                      counted = instance_of(kernel_program());
    static const auto code = must(native::compile(kernel_program(wasm::FuelRule::exact)));
    static native::Runner runner(*exact, code), peers_runner(*counted, kernel_code());
    const wasm::Cell rounds = kernel.rounds * 10;
    const std::uint32_t function = function_named(exact->program(), kernel.name);
    wasm::RunResult mine, theirs;
    const auto run = [&](wasm::Instance& on, native::Runner& by, wasm::RunResult& result) {
        on.reset();
        if (!by.invoke(function, {&rounds, 1}, {}, result)) give_up("no stack");
    };
    const Best best = in_turns(
        state, [&] { run(*exact, runner, mine); }, [&] { run(*counted, peers_runner, theirs); });
    if (mine.results != theirs.results) give_up(kernel.name + ": another result by exact fuel");
    state.counters["x_counted"] = best.ratio();
    note({"native, exact fuel/" + kernel.name, milliseconds(best.ours), milliseconds(best.peer),
          best.ratio(), ""});
}

/// What guard pages would add to a call whose memory grows: the new pages are opened, the reset
/// closes them again.
void open_and_close_pages(benchmark::State& state) {
    constexpr std::size_t reserved = std::size_t{8} << 30, opened = 16 * 65'536;
    void* const low =
        mmap(nullptr, reserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (low == MAP_FAILED) give_up("no 8 GiB of addresses");
    double best = std::numeric_limits<double>::max();
    for ([[maybe_unused]] const auto& _ : state) {
        CpuWatch watch;
        constexpr int batch = 1000;
        for (int i = 0; i < batch; ++i)
            if (mprotect(low, opened, PROT_READ | PROT_WRITE) != 0 ||
                mprotect(low, opened, PROT_NONE) != 0)
                give_up("mprotect failed");
        const double seconds = watch.lap();
        best = std::min(best, seconds / batch);
        state.SetIterationTime(seconds);
    }
    munmap(low, reserved);
    note({"guard pages, grow and reset (ns)", "", "", best * 1e9, ""});
}

void instantiate_and_call(benchmark::State& state, const std::string& function) {
    constexpr int batch = 1000;
    const auto instance = instance_of(kernel_program());
    native::Runner runner(*instance, kernel_code());
    const std::uint32_t index = function_named(instance->program(), function);
    wasm::RunResult result;
    double best = std::numeric_limits<double>::max();
    for ([[maybe_unused]] const auto& _ : state) {
        CpuWatch watch;
        for (int i = 0; i < batch; ++i) {
            const wasm::Cell argument = 0;
            instance->reset();
            if (!runner.invoke(index, {&argument, 1}, {}, result)) give_up("no stack");
            if (result.outcome != wasm::Outcome::returned) give_up(function + " did not return");
        }
        const double seconds = watch.lap();
        best = std::min(best, seconds / batch);
        state.SetIterationTime(seconds);
    }
    state.counters["ns"] = best * 1e9;
    note({"instance, native, " + function + " (ns)", "", "", best * 1e9,
          function == "nothing" ? "<= 1000" : ""});
}

/// Processor seconds of the whole process: the compiler has threads of its own.
double process_seconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// The bar is on what serves: the quick tier. The optimised one is reported beside it.
void compile_200_kB(benchmark::State& state, native::Tier tier, const std::string& name) {
    const auto program = must(wasm::lower(
        must(wasm::load_module(enlarged(*kernel_program()->module, 200'000), "200 kB"))));
    double best = std::numeric_limits<double>::max(), wall = best;
    for ([[maybe_unused]] const auto& _ : state) {
        Stopwatch watch;
        const double before = process_seconds();
        benchmark::DoNotOptimize(must(native::compile(program, {}, tier)));
        const double seconds = process_seconds() - before;
        best = std::min(best, seconds);
        wall = std::min(wall, static_cast<double>(watch.lap()) * 1e-9);
        state.SetIterationTime(seconds);
    }
    state.counters["wall_s"] = wall;
    const std::string what = "native, compile 200 kB, " + name;
    note({what + " (processor s)", milliseconds(best), "", best, ""});
    note({what + " (s)", milliseconds(wall), "", wall, "<= 2"});
}

} // namespace

void register_native() {
#ifdef BLOCKLOOM_HAVE_WASM2C
    for (const Kernel& kernel : kernels()) {
        benchmark::RegisterBenchmark(("native/metered/" + kernel.name).c_str(),
                                     native_beside_wasm2c, kernel, Wasm2c::metered)
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond);
        benchmark::RegisterBenchmark(("native/plain/" + kernel.name).c_str(), native_beside_wasm2c,
                                     kernel, Wasm2c::plain)
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond);
    }
#endif
    for (const Kernel& kernel : kernels())
        benchmark::RegisterBenchmark(("native/unchecked/" + kernel.name).c_str(),
                                     native_beside_unchecked, kernel)
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond);
    for (const Kernel& kernel : kernels())
        benchmark::RegisterBenchmark(("native/exact/" + kernel.name).c_str(), exact_beside_counted,
                                     kernel)
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark("native/guard_pages", open_and_close_pages)->UseManualTime();
    for (const std::string function : {"nothing", "pages_8"})
        benchmark::RegisterBenchmark(("instance/native/" + function).c_str(), instantiate_and_call,
                                     function)
            ->UseManualTime()
            ->Unit(benchmark::kMicrosecond);
    for (const auto& [tier, name] :
         {std::pair(native::Tier::quick, "quick"), std::pair(native::Tier::optimised, "optimised")})
        benchmark::RegisterBenchmark((std::string("native/compile_200_kB/") + name).c_str(),
                                     compile_200_kB, tier, std::string(name))
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond);
}

} // namespace blockloom::bench
