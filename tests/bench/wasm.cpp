// The WebAssembly engines beside their peers, each pair in one process and in turns, best of all
// turns, by processor time: the interpreter beside wabt's, the native compiler beside wasm2c with
// the C compiler (with our fuel checks put in and without). Ends with a table of all ratios and the
// bars of issue 3.
#include "base/file.h"
#include "cpu_watch.h"
#include "wasm/instance_pool.h"
#include "wasm_kernel_list.h"
#include "wasm_metering.h"
#include "wasm_modules.h"
#ifdef BLOCKLOOM_HAVE_WABT
#include "wabt/interpreter.h"
#endif
#ifdef BLOCKLOOM_HAVE_WASM2C
#include "wasm2c_peer.h"
#endif

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

using namespace blockloom;
using namespace blockloom::bench;

namespace {

struct Kernel {
    std::string name;
    std::uint32_t rounds = 0;
};

const std::vector<Kernel> kernels{
#define BLOCKLOOM_KERNEL(name, rounds) {#name, rounds},
    BLOCKLOOM_WASM_KERNELS(BLOCKLOOM_KERNEL)
#undef BLOCKLOOM_KERNEL
};

/// A line of the table at the end.
struct Row {
    std::string name, ours, peer;
    double ratio = 0;
    std::string bar;
};
std::vector<Row> rows;

/// The last run of a benchmark is the one that counts.
void note(Row row) {
    const auto found = std::find_if(rows.begin(), rows.end(),
                                    [&](const Row& other) { return other.name == row.name; });
    if (found == rows.end())
        rows.push_back(std::move(row));
    else
        *found = std::move(row);
}

[[noreturn]] void give_up(const std::string& why) {
    std::fprintf(stderr, "%s\n", why.c_str());
    std::exit(1);
}

template <typename T> T must(Result<T> result) {
    if (!result) give_up(result.error().message);
    return std::move(*result);
}

std::string milliseconds(double seconds) {
    char text[40];
    std::snprintf(text, sizeof text, "%.3f ms", seconds * 1e3);
    return text;
}

const Bytes& kernel_bytes() {
    static const Bytes bytes = [] {
        const MappedFile file = must(MappedFile::open(BLOCKLOOM_KERNELS));
        return Bytes(file.bytes().begin(), file.bytes().end());
    }();
    return bytes;
}

/// The kernels on the interpreter.
class Interpreted {
public:
    explicit Interpreted(const Bytes& bytes)
        : program_(must(wasm::lower(must(wasm::load_module(bytes, "kernels"))))) {
        auto made = wasm::Instance::make(program_, {});
        if (auto* error = std::get_if<wasm::LinkError>(&made)) give_up(error->text);
        instance_ = std::get<std::shared_ptr<wasm::Instance>>(made);
        interpreter_.emplace(*instance_);
    }
    wasm::RunResult run(const std::string& kernel, std::uint32_t rounds) {
        instance_->reset();
        const auto found = instance_->exported(kernel);
        if (!found) give_up("no kernel " + kernel);
        const wasm::Cell argument = rounds;
        return interpreter_->invoke(std::get<wasm::FunctionReference>(*found).function,
                                    {&argument, 1});
    }
    [[nodiscard]] wasm::Instance& instance() { return *instance_; }
    [[nodiscard]] const wasm::Program& program() const { return *program_; }

private:
    std::shared_ptr<const wasm::Program> program_;
    std::shared_ptr<wasm::Instance> instance_;
    std::optional<wasm::Interpreter> interpreter_;
};

Interpreted& interpreted() {
    static Interpreted made(kernel_bytes());
    return made;
}

/// Best seconds of each of two sides, taken in turns.
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

#ifdef BLOCKLOOM_HAVE_WABT
reference::Interpreter& wabt_interpreter() {
    static reference::Interpreter made(kernel_bytes().data(), kernel_bytes().size());
    if (!made.error().empty()) give_up("wabt: " + made.error());
    return made;
}

void interpreter_against_wabt(benchmark::State& state, const Kernel& kernel) {
    wasm::RunResult mine;
    reference::Outcome theirs;
    const Best best = in_turns(
        state, [&] { mine = interpreted().run(kernel.name, kernel.rounds); },
        [&] { theirs = wabt_interpreter().call(kernel.name, {kernel.rounds}); });
    if (mine.results != theirs.results) give_up(kernel.name + ": another result than wabt's");
    state.counters["x_wabt"] = best.ratio();
    state.counters["M_wasm/s"] = static_cast<double>(mine.steps) / best.ours * 1e-6;
    note({"interpreter/" + kernel.name, milliseconds(best.ours), milliseconds(best.peer),
          best.ratio(), ">= 6.5 wabt"});
}
#endif

/// A clean instance from the pool, one call, and back: nanoseconds of one. `pages_8` writes to
/// eight pages, as many as contracts do.
void instantiate_and_call(benchmark::State& state, const std::string& function) {
    constexpr int batch = 1000;
    static wasm::InstancePool pool(
        must(wasm::lower(must(wasm::load_module(kernel_bytes(), "kernels")))), {});
    std::uint32_t index = 0;
    for (const wasm::Export& item : pool.program().module->exports)
        if (item.name == function) index = item.index;
    double best = 1e9;
    for ([[maybe_unused]] const auto& _ : state) {
        CpuWatch watch;
        for (int i = 0; i < batch; ++i) {
            const wasm::Cell argument = 0;
            auto lease = pool.acquire();
            benchmark::DoNotOptimize(
                std::get<wasm::InstancePool::Lease>(lease).interpreter().invoke(index,
                                                                                {&argument, 1}));
        }
        const double seconds = watch.lap() / batch;
        best = std::min(best, seconds);
        state.SetIterationTime(seconds);
    }
    state.counters["ns"] = best * 1e9;
    note({"interpreter: instance + " + function + " ns", "", "", best * 1e9, ""});
}

/// Megabytes of bodies a second: decoding, validating and lowering a module of 2 MB of code.
void lowering(benchmark::State& state) {
    const Bytes large = enlarged(*interpreted().program().module, 2'000'000);
    const auto shared = std::make_shared<const Bytes>(large);
    double decode = 1e9, validate = 1e9, lower = 1e9;
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
        bytes = code_bytes(*module);
        decode = std::min(decode, first), validate = std::min(validate, second),
        lower = std::min(lower, third);
        state.SetIterationTime(first + second + third);
    }
    const auto rate = [&](double seconds) { return static_cast<double>(bytes) / seconds * 1e-6; };
    state.counters["decode_MB/s"] = rate(decode);
    state.counters["validate_MB/s"] = rate(validate);
    state.counters["lower_MB/s"] = rate(lower);
    state.counters["all_MB/s"] = rate(decode + validate + lower);
    note({"lowering/decode MB/s", milliseconds(decode), "", rate(decode), ""});
    note({"lowering/validate MB/s", milliseconds(validate), "", rate(validate), ""});
    note({"lowering/lower MB/s", milliseconds(lower), "", rate(lower), ">= 20"});
    note({"lowering/all MB/s", milliseconds(decode + validate + lower), "",
          rate(decode + validate + lower), ">= 20"});
}

/// Geometric mean and worst of the rows whose names begin so.
void sum_up(const std::string& prefix, const std::string& bar_of_mean,
            const std::string& bar_of_worst) {
    double sum = 0, worst = std::numeric_limits<double>::max();
    std::size_t count = 0;
    for (const Row& row : rows) {
        if (row.name.rfind(prefix, 0) != 0) continue;
        sum += std::log(row.ratio), worst = std::min(worst, row.ratio), ++count;
    }
    if (count == 0) return;
    rows.push_back({prefix + "geometric mean", "", "", std::exp(sum / static_cast<double>(count)),
                    bar_of_mean});
    rows.push_back({prefix + "worst", "", "", worst, bar_of_worst});
}

void print_table() {
    sum_up("interpreter/", ">= 8 wabt", ">= 6.5 wabt");
    std::printf("\n%-36s %14s %14s %9s  %s\n", "what", "ours", "peer", "ratio", "bar");
    for (const Row& row : rows)
        std::printf("%-36s %14s %14s %9.2f  %s\n", row.name.c_str(), row.ours.c_str(),
                    row.peer.c_str(), row.ratio, row.bar.c_str());
}

/// Checks the peer's fuel: the metered module must count what our lowering counts.
void check_metering() {
    Interpreted metered(with_fuel_checks(*interpreted().program().module, std::int64_t{1} << 62));
    for (const Kernel& kernel : kernels) {
        const wasm::RunResult plain = interpreted().run(kernel.name, 5);
        const wasm::RunResult counted = metered.run(kernel.name, 5);
        const auto counter =
            std::get<std::shared_ptr<wasm::GlobalCell>>(*metered.instance().exported("fuel"));
        const std::uint64_t used = (std::uint64_t{1} << 62) - counter->value;
        if (plain.results != counted.results || plain.steps != used)
            give_up(kernel.name + ": the metered module used " + std::to_string(used) +
                    " fuel, ours " + std::to_string(plain.steps));
    }
}

} // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    check_metering();
    for (const Kernel& kernel : kernels) {
        const auto add = [&](const std::string& name, auto function) {
            benchmark::RegisterBenchmark((name + kernel.name).c_str(), function, kernel)
                ->UseManualTime()
                ->Unit(benchmark::kMillisecond);
        };
#ifdef BLOCKLOOM_HAVE_WABT
        add("interpreter/", interpreter_against_wabt);
#endif
    }
    for (const char* function : {"nothing", "pages_8"})
        benchmark::RegisterBenchmark(("instance/interpreter/" + std::string(function)).c_str(),
                                     instantiate_and_call, function)
            ->UseManualTime()
            ->Unit(benchmark::kNanosecond);
    benchmark::RegisterBenchmark("lowering", lowering)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
    benchmark::RunSpecifiedBenchmarks();
    print_table();
    return 0;
}
