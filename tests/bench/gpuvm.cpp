// The mint of the recipes on a device beside the native engine and wasm2c, in one process and with
// the ratio to the faster of the two, on one core and on all: contracts alone, with copies, and end
// to end. The device: BLOCKLOOM_BACKEND (vulkan, the interpreter kernel, or cuda, compiled lanes) and
// BLOCKLOOM_DEVICE, else the best one; BLOCKLOOM_GPUVM_VARIANT: another variant of the interpreter
// kernel. Every batch is checked against the interpreter.
#include "compute/selection.h"
#include "execute/worker_pool.h"
#include "gpuvm/batch.h"
#include "gpuvm/machine.h"
#include "gpuvm_peers.h"
#include "simt/lane_machine.h"
#include "wasm/instantiate.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>

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

std::vector<gpuvm::HostRule> rules_of(const Mint& mint) {
    using Kind = gpuvm::HostRule::Kind;
    std::vector<gpuvm::HostRule> rules;
    for (const wasm::Import& import : mint.program->module->imports) {
        gpuvm::HostRule rule;
        rule.deducts = mint.fees_deducted;
        const auto is = [&](const char* name) { return import.name == name; };
        if (is("__request_context"))
            rule.kind = Kind::blob_length, rule.slot = 1, rule.fee_per_byte = 1;
        if (is("__load_context"))
            rule.kind = Kind::blob_copy, rule.slot = 1, rule.fee_per_byte = 2,
            rule.answers_pointer = true;
        if (is("__request_transaction")) rule.kind = Kind::blob_length, rule.fee = 50;
        if (is("__load_transaction")) rule.kind = Kind::blob_copy, rule.fee = 500;
        if (is("__request_storage")) rule.kind = Kind::value_length, rule.fee_per_byte = 1;
        if (is("__load_storage"))
            rule.kind = Kind::value_copy, rule.fee_per_byte = 2, rule.answers_pointer = true;
        rules.push_back(rule);
    }
    return rules;
}

/// Everything that a batch of so many lanes needs, laid out as the executor would.
struct Prepared {
    Bytes bytes;
    std::vector<gpuvm::Invocation> invocations;
    std::vector<gpuvm::KnownValue> values;

    gpuvm::Piece add(const std::string& piece) {
        const gpuvm::Piece at{static_cast<std::uint32_t>(bytes.size()),
                              static_cast<std::uint32_t>(piece.size())};
        bytes.insert(bytes.end(), piece.begin(), piece.end());
        return at;
    }
};

/// The message of a lane: in turns, or all even ones before all odd ones.
struct Order {
    std::size_t messages = 0;
    std::uint32_t lanes = 0;
    bool sorted = false;
    std::size_t operator()(std::uint32_t lane) const {
        if (!sorted) return lane % messages;
        return (std::size_t{2} * lane + (lane < lanes / 2 ? 0 : 1)) % messages;
    }
};

Prepared prepare(const Mint& mint, std::uint32_t lanes, const Order& order) {
    Prepared result;
    std::vector<std::string> seen;
    for (std::size_t m = 0; m < std::min<std::size_t>(mint.messages.size(), lanes); ++m) {
        for (const auto& [key, value] : mint.messages[m].values) {
            const bool own = key.starts_with("/tx-hashes/"); // one a transaction
            if (!own && std::find(seen.begin(), seen.end(), key) != seen.end()) continue;
            if (!own) seen.push_back(key);
            const gpuvm::Piece at = result.add(key);
            result.values.push_back({1, at, result.add(value), static_cast<std::uint32_t>(m)});
        }
    }
    for (std::uint32_t i = 0; i < lanes; ++i) {
        const MintMessage& message = mint.messages[order(i)];
        gpuvm::Invocation invocation;
        invocation.function = mint.execute;
        invocation.fuel = 100'000'000;
        invocation.owner = 1;
        invocation.blobs[0] = result.add(message.transaction);
        invocation.blobs[1] = result.add(message.context);
        result.invocations.push_back(invocation);
    }
    return result;
}

/// The responses of all lanes, by their pages: first where the length stands, then the rest.
void check_responses(gpuvm::Batch& batch, const Mint& mint, std::uint32_t lanes,
                     const Order& order) {
    std::vector<gpuvm::PageRead> reads;
    std::vector<std::uint32_t> pointers;
    for (std::uint32_t i = 0; i < lanes; ++i) {
        const auto pointer = static_cast<std::uint32_t>(batch.ended(i).run.results.at(0));
        if (const auto kept = batch.kept_buffer(i, pointer)) {
            const std::string& expected = mint.messages[order(i)].response;
            if (kept->size() != expected.size() + 4 ||
                std::memcmp(kept->data() + 4, expected.data(), expected.size()) != 0)
                give_up(fmt::format("lane {}: another response", i));
            continue;
        }
        const auto size = static_cast<std::uint32_t>(mint.messages[order(i)].response.size());
        pointers.push_back(pointer);
        for (std::uint32_t page = (pointer - 4) / 1024; page <= (pointer + size - 1) / 1024; ++page)
            reads.push_back({i, page});
    }
    if (reads.empty()) return; // all came with their lanes
    std::vector<Byte> bytes(reads.size() * 1024);
    must(batch.read_pages(reads, bytes));
    std::size_t next = 0;
    for (std::uint32_t i = 0; i < lanes; ++i) {
        const std::string& expected = mint.messages[order(i)].response;
        const std::size_t at = next * 1024 + (pointers[i] - 4) % 1024;
        std::uint32_t size = 0;
        std::memcpy(&size, bytes.data() + at, 4);
        if (size != expected.size() ||
            std::memcmp(bytes.data() + at + 4, expected.data(), size) != 0)
            give_up(fmt::format("lane {}: another response", i));
        while (next < reads.size() && reads[next].invocation == i) ++next;
    }
}

/// Both contracts' messages with what the interpreter gives, and the device; made once.
struct Setup {
    Mint mint = mint_messages(1024), mixed = mint_messages(1024, true);
    execute::WorkerPool pool{execute::WorkerPool::count(0)};
    compute::ProviderPtr provider;
    std::unique_ptr<gpuvm::Machine> machine, mixed_machine;
    std::string why; ///< there is no machine

    Setup() {
        for (Mint* const each : {&mint, &mixed})
            for (MintMessage& message : each->messages) interpret_mint(*each, message);
        auto settings = must(compute::read_settings());
        if (settings.backend.value == "auto") settings.backend.choose("vulkan", "bench");
        auto opened = compute::open_provider(settings);
        if (!opened) {
            why = opened.error().message;
            return;
        }
        provider = opened->provider;
        fmt::print(stderr, "device: {}; {} steps, {} host calls a mint\n",
                   provider->description().name, mint.messages.front().steps,
                   mint.messages.front().answers.size());
        machine = machine_for(mint);
        mixed_machine = machine_for(mixed);
    }

    std::unique_ptr<gpuvm::Machine> machine_for(const Mint& of) {
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

double time_peer(const std::function<MintRunner()>& maker, unsigned threads) {
    return time_mint(maker, setup().mint, threads, 4);
}

const Peers& peers() {
    static const Peers measured = [] {
        Peers result;
        const unsigned cores = execute::WorkerPool::count(0);
        const auto tell = [&](const char* name, const std::function<MintRunner()>& maker) {
            const double one = time_peer(maker, 1), all = time_peer(maker, cores);
            fmt::print(stderr, "{:20} {:9.3f} us on one core, {:9.4f} us on {}\n", name, one / 1e3,
                       all / 1e3, cores);
            result.take(result.one, one);
            result.take(result.all, all);
        };
        tell("native engine", native_mint(setup().mint));
#ifdef BLOCKLOOM_HAVE_WASM2C
        tell("wasm2c and gcc -O2", wasm2c_mint());
#endif
        return result;
    }();
    return measured;
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
    if (batch.work().on_host != 0)
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
Measured best_of(gpuvm::Machine& machine, const Mint& mint, std::uint32_t lanes, bool sorted,
                 unsigned rounds) {
    const Order order{mint.messages.size(), lanes, sorted};
    const Prepared prepared = prepare(mint, lanes, order);
    const auto batch = machine.batch();
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
const char* lacks(std::uint32_t lanes) {
    if (!setup().machine) return setup().why.c_str();
    return lanes > setup().machine->most_lanes() ? "so many do not fit" : nullptr;
}

/// By number of messages, ns of the whole batch: for the break-even sizes.
std::map<double, double>& curve() {
    static std::map<double, double> points;
    return points;
}

/// range(0): messages. Time is the contracts' alone, of the whole batch.
void mints(benchmark::State& state) {
    const auto lanes = static_cast<std::uint32_t>(state.range(0));
    if (const char* const why = lacks(lanes)) return state.SkipWithError(why);
    const double steps = static_cast<double>(setup().mint.messages.front().steps);
    Measured m;
    for (auto _ : state) {
        m = best_of(*setup().machine, setup().mint, lanes, false, 5);
        state.SetIterationTime(m.execute / 1e9);
    }
    const double each = m.execute / lanes;
    curve()[lanes] = m.execute;
    const auto count = [&](const char* name, double value) { state.counters[name] = value; };
    count("us", each / 1e3);
    count("copies_us", m.device / lanes / 1e3);
    count("all_us", m.all / lanes / 1e3);
    count("ns_instr", each / steps);
    count("x_one", peers().one / each);
    count("x_all", peers().all / each);
    count("copies_x_all", peers().all / (m.device / lanes));
    count("all_x_all", peers().all / (m.all / lanes));
    const auto share = [&](double part) { return 100 * part / m.all; };
    count("upload%", share(static_cast<double>(m.times.upload)));
    count("execute%", share(m.execute));
    count("read%", share(static_cast<double>(m.times.readback)));
    count("host%", share(m.all - m.device));
    count("KiB", static_cast<double>(m.work.frames) * setup().machine->wave() / lanes);
}
BENCHMARK(mints)
    ->Arg(32)
    ->Arg(256)
    ->Arg(2048)
    ->Arg(16'384)
    ->Arg(65'536)
    ->Arg(262'144)
    ->UseManualTime()
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

/// range(0): messages, half mints and half names; in turns against sorted.
void in_turns(benchmark::State& state) {
    const auto lanes = static_cast<std::uint32_t>(state.range(0));
    if (const char* const why = lacks(lanes)) return state.SkipWithError(why);
    double apart = 0, together = 0;
    for (auto _ : state) {
        apart = best_of(*setup().mixed_machine, setup().mixed, lanes, true, 5).execute;
        together = best_of(*setup().mixed_machine, setup().mixed, lanes, false, 5).execute;
        state.SetIterationTime(together / 1e9);
    }
    state.counters["sorted_ms"] = apart / 1e6;
    state.counters["ratio"] = together / apart;
}
BENCHMARK(in_turns)->Arg(2048)->Arg(65'536)->UseManualTime()->Iterations(1)->Unit(
    benchmark::kMillisecond);

/// Where a batch takes as long as the peer, on straight lines between the sizes that were measured.
double even_with(double peer) {
    double n = 0, took = 0;
    for (const auto& [count, now] : curve()) {
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
    if (curve().size() > 1)
        fmt::print("execute breaks even at {:.0f} messages with one core, {:.0f} with all\n",
                   even_with(peers().one), even_with(peers().all));
    if (!curve().empty())
        if (const auto said = setup().provider->validation_messages())
            fmt::print("validation: {} messages\n", *said);
    return 0;
}
