// Mints on a device beside the native engine and wasm2c: the free mint of the recipes, built by
// clang, and the contract of tests/rust_contract, built by rustc. In one process and with the ratio
// to the faster of the two, on one core and on all: contracts alone, with copies, and end
// to end. The device: BLOCKLOOM_BACKEND (vulkan, the interpreter kernel; cuda or simt, compiled
// lanes) and BLOCKLOOM_DEVICE, else the best one; BLOCKLOOM_GPUVM_VARIANT: another variant of the
// interpreter kernel. Every batch is checked against the interpreter.
#include "compute/selection.h"
#include "execute/worker_pool.h"
#include "gpuvm/batch.h"
#include "gpuvm/machine.h"
#include "gpuvm_inputs.h"
#include "gpuvm_peers.h"
#include "recipes/contracts.h"
#include "rust_contract/rust_contract.h"
#include "simt/lane_machine.h"
#include "wasm/instantiate.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>

using namespace blockloom;
using namespace blockloom::bench;

namespace {

[[noreturn]] void give_up(const std::string& why) {
    fmt::print(stderr, "{}\n", why);
    std::exit(1);
}

template <typename T> T must(Result<T> result) {
    if (!result) give_up(result.error().message);
    return *std::move(result);
}
void must(const Status& status) {
    if (!status) give_up(status.error().message);
}

/// `found`: the length, then as many bytes, and maybe more.
void check_response(std::uint32_t lane, ByteView found, const std::string& expected) {
    std::uint32_t size = 0;
    if (found.size() >= sizeof size) std::memcpy(&size, found.data(), sizeof size);
    if (size == expected.size() && found.size() >= sizeof size + size &&
        std::memcmp(found.data() + sizeof size, expected.data(), size) == 0)
        return;
    give_up(fmt::format(
        "lane {}: expected a response of {} bytes:\n{}\nfound {} bytes:\n{}", lane, expected.size(),
        expected, size,
        std::string(found.begin() + std::min<std::size_t>(4, found.size()), found.end())));
}

/// The responses of all lanes: short ones came with them, the others are in their pages.
void check_responses(gpuvm::Batch& batch, const Mint& mint, std::uint32_t lanes,
                     const Order& order) {
    struct Long {
        std::uint32_t lane, pointer;
        std::size_t first; ///< of its pages in `reads`
    };
    std::vector<gpuvm::PageRead> reads;
    std::vector<Long> all;
    std::string kept;
    for (std::uint32_t i = 0; i < lanes; ++i) {
        const auto pointer = static_cast<std::uint32_t>(batch.ended(i).run.results.at(0));
        const std::string& expected = mint.messages[order(i)].response;
        if (batch.read_kept(i, pointer, kept)) {
            if (kept != expected)
                give_up(fmt::format("lane {}: expected a response of {} bytes, found {}:\n{}", i,
                                    expected.size(), kept.size(), kept));
            continue;
        }
        all.push_back({i, pointer, reads.size()});
        const auto size = static_cast<std::uint32_t>(expected.size());
        for (std::uint32_t page = (pointer - 4) / gpuvm::small_page;
             page <= (pointer + size - 1) / gpuvm::small_page; ++page)
            reads.push_back({i, page});
    }
    if (all.empty()) return; // all came with their lanes
    std::vector<Byte> bytes(reads.size() * gpuvm::small_page);
    must(batch.read_pages(reads, bytes));
    for (const Long& each : all) {
        const std::string& expected = mint.messages[order(each.lane)].response;
        const std::size_t at =
            each.first * gpuvm::small_page + (each.pointer - 4) % gpuvm::small_page;
        check_response(each.lane, ByteView(bytes).subspan(at, expected.size() + 4), expected);
    }
}

/// The device and the host's workers; made once.
struct Setup {
    execute::WorkerPool pool{execute::WorkerPool::count(0)};
    compute::ProviderPtr provider;
    std::string why; ///< there is no device

    Setup() {
        auto settings = must(compute::read_settings());
        if (settings.backend.value == "auto") settings.backend.choose("vulkan", "bench");
        auto opened = compute::open_provider(settings);
        if (!opened) {
            why = opened.error().message;
            return;
        }
        provider = opened->provider;
        fmt::print(stderr, "device: {}\n", provider->description().name);
    }

    std::unique_ptr<gpuvm::Machine> machine_for(const Mint& of) {
        if (!provider) return nullptr;
        gpuvm::Options options;
        if (const char* const variant = std::getenv("BLOCKLOOM_GPUVM_VARIANT"))
            options.variant = static_cast<std::uint32_t>(std::atoi(variant));
        options.spread = [this](std::size_t count, const std::function<void(std::size_t)>& work) {
            pool.each(count, 1, [&](unsigned, std::size_t from, std::size_t to) {
                for (std::size_t i = from; i < to; ++i) work(i);
            });
        };
        options.keep_memories = false;
        options.wait_for_code = true;
        auto made = must(simt::machine_for(provider, options));
        // The instance as a contract gets it: 512 pages.
        wasm::InstanceLimits limits;
        limits.embedder_pages = 512;
        wasm::Imports imports;
        for (const wasm::Import& import : of.program->module->imports) {
            wasm::FunctionReference reference;
            reference.type = of.program->module->types[import.type];
            imports.insert_or_assign({import.module, import.name}, reference);
        }
        auto instance = wasm::instantiate(of.program, imports, limits);
        auto* found = std::get_if<std::shared_ptr<wasm::Instance>>(&instance);
        if (found == nullptr) give_up("no instance");
        (void)must(made->add(gpuvm::image_of(**found), rules_of(of)));
        return made;
    }
};

Setup& setup() {
    static Setup made;
    return made;
}

/// Nanoseconds a message of the faster peer.
struct Peers {
    double one = 0, all = 0;
    void take(double& least, double now) { least = least == 0 ? now : std::min(least, now); }
};

/// Messages to a contract with what the interpreter gives, and its program on the device.
struct Case {
    using Maker = std::function<MintRunner()>;

    Case(const char* its_name, ByteView code, bool mixed, Maker (*its_wasm2c)())
        : name(its_name), wasm2c(its_wasm2c), mint(mint_messages(code, 1024, mixed)),
          machine(setup().machine_for(mint)) {
        for (MintMessage& message : mint.messages) interpret_mint(mint, message);
        fmt::print(stderr, "{}: {} functions, {} steps, {} host calls a message\n", name,
                   mint.program->functions.size() - mint.program->module->imported_functions,
                   mint.messages.front().steps, mint.messages.front().answers.size());
    }

    const Peers& peers() {
        if (measured_) return *measured_;
        measured_.emplace();
        const unsigned cores = execute::WorkerPool::count(0);
        const auto tell = [&](const char* peer, const Maker& maker) {
            const double one = time_mint(maker, mint, 1, 4), all = time_mint(maker, mint, cores, 4);
            fmt::print(stderr, "{:20} {:9.3f} us on one core, {:9.4f} us on {}\n", peer, one / 1e3,
                       all / 1e3, cores);
            measured_->take(measured_->one, one);
            measured_->take(measured_->all, all);
        };
        tell("native engine", native_mint(mint));
        if (wasm2c != nullptr) tell("wasm2c and gcc -O2", wasm2c());
        return *measured_;
    }

    const char* name;
    Maker (*wasm2c)(); ///< null: there is none
    Mint mint;
    std::unique_ptr<gpuvm::Machine> machine; ///< null: there is no device
    bool compiled = false;                   ///< a batch has run
    /// By number of messages, ns of the whole batch: for the break-even sizes.
    std::map<double, double> curve;

private:
    std::optional<Peers> measured_;
};

#ifdef BLOCKLOOM_HAVE_WASM2C
constexpr auto mint_by_wasm2c = &wasm2c_mint;
#else
constexpr Case::Maker (*mint_by_wasm2c)() = nullptr;
#endif
#ifdef BLOCKLOOM_HAVE_WASM2C_RUST
constexpr auto rust_by_wasm2c = &wasm2c_rust;
#else
constexpr Case::Maker (*rust_by_wasm2c)() = nullptr;
#endif

Case& mint_case() {
    static Case made("mint", recipes::code_of(recipes::Contract::free_mint), false, mint_by_wasm2c);
    return made;
}
Case& mixed_case() {
    static Case made("mint and name", recipes::code_of(recipes::Contract::free_mint), true,
                     nullptr);
    return made;
}
Case& rust_case() {
    static Case made("rust", tests::rust_contract(), false, rust_by_wasm2c);
    return made;
}

struct Measured {
    double execute = 0, device = 0, all = 0; ///< ns, of the whole batch
    gpuvm::Times times;
    gpuvm::Work work;
};

/// One batch from its start to its end; `checks`: responses too, not only steps.
Measured run_batch(gpuvm::Batch& batch, const Prepared& prepared, const Mint& mint,
                   std::uint32_t lanes, const Order& order, bool checks) {
    const Nanoseconds begin = now_ns();
    must(batch.start(prepared.invocations, {prepared.bytes, prepared.values}));
    std::size_t ended = 0;
    for (bool running = true; running;) {
        running = must(batch.advance());
        for (const gpuvm::Stop& stop : batch.stops()) {
            if (stop.kind != gpuvm::StopKind::returned)
                give_up(fmt::format("lane {}: {} {} {}", stop.invocation,
                                    static_cast<int>(stop.kind), name_of(stop.ejection),
                                    stop.import));
            ++ended;
        }
    }
    if (ended != lanes) give_up("some lanes never ended");
    if (batch.work().on_host != 0 && setup().provider->description().backend != "simt")
        give_up(fmt::format("{} lanes ran on the host", batch.work().on_host));
    Measured now;
    now.all = static_cast<double>(now_ns() - begin);
    if (checks) {
        check_responses(batch, mint, std::min<std::uint32_t>(lanes, 16'384), order);
        for (std::uint32_t i = 0; i < lanes; ++i)
            if (const auto steps = batch.ended(i).run.steps; steps != mint.messages[order(i)].steps)
                give_up(fmt::format("lane {}: {} steps, not {}", i, steps,
                                    mint.messages[order(i)].steps));
    }
    now.times = batch.times();
    now.execute = static_cast<double>(now.times.execute);
    now.device = now.execute + static_cast<double>(now.times.upload + now.times.readback);
    now.work = batch.work();
    return now;
}

/// The least of several batches, after one that is checked and what wakes the device's clock.
Measured best_of(Case& of, std::uint32_t lanes, bool sorted, unsigned rounds) {
    const Mint& mint = of.mint;
    const Order order{mint.messages.size(), lanes, sorted};
    const Prepared prepared = prepare(mint, lanes, order);
    const auto batch = of.machine->batch();
    if (!of.compiled) { // machine code that is kept on disk makes this short: BLOCKLOOM_CODE_CACHE
        // Every message, until the code has all that they need.
        const auto all = static_cast<std::uint32_t>(
            std::min<std::size_t>(mint.messages.size(), of.machine->most_lanes()));
        const Prepared every = prepare(mint, all, Order{mint.messages.size(), all, false});
        constexpr unsigned most_tries = 12;
        for (unsigned tries = 1; tries <= most_tries; ++tries) {
            const Nanoseconds before = now_ns();
            must(batch->start(every.invocations, {every.bytes, every.values}));
            while (must(batch->advance())) {
            }
            const std::uint64_t on_host = batch->work().on_host;
            fmt::print(stderr,
                       "{}: batch {} of {} messages, with compilation: {:.1f} s; {} ran on the "
                       "host\n",
                       of.name, tries, all, static_cast<double>(now_ns() - before) / 1e9, on_host);
            if (on_host == 0 || setup().provider->description().backend == "simt") break;
        }
        of.compiled = true;
    }
    constexpr Nanoseconds warm = 400'000'000;
    const Nanoseconds begin = now_ns();
    bool checked = false;
    do {
        (void)run_batch(*batch, prepared, mint, lanes, order, !checked);
        checked = true;
    } while (now_ns() - begin < warm);
    Measured best;
    for (unsigned round = 0; round < rounds; ++round) {
        const Measured now = run_batch(*batch, prepared, mint, lanes, order, false);
        if (round == 0 || now.execute < best.execute) best = now;
    }
    return best;
}

/// Why nothing can be measured with so many lanes; nullptr: it can.
const char* lacks(const Case& of, std::uint32_t lanes) {
    if (!of.machine) return setup().why.c_str();
    return lanes > of.machine->most_lanes() ? "so many do not fit" : nullptr;
}

std::vector<Case*>& measured_cases() {
    static std::vector<Case*> all;
    return all;
}

/// range(0): messages. Time is the contracts' alone, of the whole batch.
void measure(benchmark::State& state, Case& of) {
    const auto lanes = static_cast<std::uint32_t>(state.range(0));
    if (const char* const why = lacks(of, lanes)) return state.SkipWithError(why);
    const double steps = static_cast<double>(of.mint.messages.front().steps);
    Measured m;
    for (auto _ : state) {
        m = best_of(of, lanes, false, 5);
        state.SetIterationTime(m.execute / 1e9);
    }
    const double each = m.execute / lanes;
    of.curve[lanes] = m.execute;
    const Peers& peers = of.peers();
    if (std::ranges::find(measured_cases(), &of) == measured_cases().end())
        measured_cases().push_back(&of);
    const auto count = [&](const char* name, double value) { state.counters[name] = value; };
    count("us", each / 1e3);
    count("copies_us", m.device / lanes / 1e3);
    count("all_us", m.all / lanes / 1e3);
    count("ns_instr", each / steps);
    count("x_one", peers.one / each);
    count("x_all", peers.all / each);
    count("copies_x_all", peers.all / (m.device / lanes));
    count("all_x_all", peers.all / (m.all / lanes));
    const auto share = [&](double part) { return 100 * part / m.all; };
    count("upload%", share(static_cast<double>(m.times.upload)));
    count("execute%", share(m.execute));
    count("read%", share(static_cast<double>(m.times.readback)));
    count("host%", share(m.all - m.device));
    count("KiB", static_cast<double>(m.work.frames) * of.machine->wave() / lanes);
}
void mints(benchmark::State& state) {
    measure(state, mint_case());
}
void rust(benchmark::State& state) {
    if (tests::rust_contract().empty()) return state.SkipWithError("rustc is not installed");
    measure(state, rust_case());
}
void sizes(benchmark::internal::Benchmark* of) {
    for (const std::int64_t messages : {32, 256, 2048, 16'384, 65'536, 262'144}) of->Arg(messages);
    of->UseManualTime()->Iterations(1)->Unit(benchmark::kMillisecond);
}
BENCHMARK(mints)->Apply(sizes);
BENCHMARK(rust)->Apply(sizes);

/// range(0): messages, half mints and half names; in turns against sorted.
void in_turns(benchmark::State& state) {
    const auto lanes = static_cast<std::uint32_t>(state.range(0));
    if (const char* const why = lacks(mixed_case(), lanes)) return state.SkipWithError(why);
    double apart = 0, together = 0;
    for (auto _ : state) {
        apart = best_of(mixed_case(), lanes, true, 5).execute;
        together = best_of(mixed_case(), lanes, false, 5).execute;
        state.SetIterationTime(together / 1e9);
    }
    state.counters["sorted_ms"] = apart / 1e6;
    state.counters["ratio"] = together / apart;
}
BENCHMARK(in_turns)->Arg(2048)->Arg(65'536)->UseManualTime()->Iterations(1)->Unit(
    benchmark::kMillisecond);

/// Where a batch takes as long as the peer, on straight lines between the sizes that were measured.
double even_with(const std::map<double, double>& curve, double peer) {
    double n = 0, took = 0;
    for (const auto& [count, now] : curve) {
        if (now <= count * peer) {
            const double slope = (now - took) / (count - n);
            return n == 0 ? count : (took - slope * n) / (peer - slope);
        }
        n = count, took = now;
    }
    return 0;
}

} // namespace

int main(int count, char** words) {
    benchmark::Initialize(&count, words);
    if (benchmark::ReportUnrecognizedArguments(count, words)) return 1;
    benchmark::RunSpecifiedBenchmarks();
    for (Case* const each : measured_cases())
        if (each->curve.size() > 1)
            fmt::print(
                "{}: execute breaks even at {:.0f} messages with one core, {:.0f} with all\n",
                each->name, even_with(each->curve, each->peers().one),
                even_with(each->curve, each->peers().all));
    if (!measured_cases().empty())
        if (const auto said = setup().provider->validation_messages())
            fmt::print("validation: {} messages\n", *said);
    return 0;
}
