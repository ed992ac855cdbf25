// The mint of the recipes on a device beside the native engine and wasm2c, in one process:
// microseconds a message and nanoseconds a WebAssembly instruction. bench_gpuvm [--variants a,b…]
// [--lanes n,n…] [--mixes n,n…] [--slice N] [--device I] [--no-peers] [--validation]
#include "compute/vulkan/vulkan_provider.h"
#include "gpuvm/batch.h"
#include "gpuvm_peers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <thread>

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
        const auto size = static_cast<std::uint32_t>(mint.messages[order(i)].response.size());
        pointers.push_back(pointer);
        for (std::uint32_t page = (pointer - 4) / 1024; page <= (pointer + size - 1) / 1024; ++page)
            reads.push_back({i, page});
    }
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

struct Measured {
    double execute = 0, device = 0, all = 0; ///< ns, of the whole batch
    gpuvm::Times times;
    gpuvm::Work work;
};

Measured run_batch(gpuvm::Machine& machine, const Mint& mint, std::uint32_t lanes,
                   bool sorted = false) {
    const Order order{mint.messages.size(), lanes, sorted};
    const Prepared prepared = prepare(mint, lanes, order);
    const auto batch = machine.batch();
    Measured best;
    for (int round = 0; round < 5; ++round) {
        const Nanoseconds begin = now_ns();
        must(batch->start(prepared.invocations, {prepared.bytes, prepared.values}));
        std::size_t ended = 0;
        for (bool running = true; running;) {
            running = must(batch->advance());
            for (const gpuvm::Stop& stop : batch->stops()) {
                if (stop.kind == gpuvm::StopKind::returned) {
                    ++ended;
                    continue;
                }
                give_up(fmt::format("lane {}: {} {} {}", stop.invocation,
                                    static_cast<int>(stop.kind), name_of(stop.ejection),
                                    stop.import));
            }
        }
        if (ended != lanes) give_up("some lanes never ended");
        const Nanoseconds before_check = now_ns();
        if (round == 0 || lanes <= 16'384)
            check_responses(*batch, mint, std::min<std::uint32_t>(lanes, 16'384), order);
        for (std::uint32_t i = 0; i < lanes; ++i) {
            const MintMessage& message = mint.messages[order(i)];
            const gpuvm::Ended end = batch->ended(i);
            if (end.run.steps != message.steps)
                give_up(fmt::format("lane {}: {} steps, not {}", i, end.run.steps, message.steps));
            if (round == 0 && i > 1000) break;
        }
        const gpuvm::Times times = batch->times();
        Measured now;
        now.execute = static_cast<double>(times.execute);
        now.device = static_cast<double>(times.execute + times.upload + times.readback);
        now.all = static_cast<double>(before_check - begin);
        now.times = times;
        now.work = batch->work();
        if (round == 0 || now.execute < best.execute) best = now;
    }
    return best;
}

std::vector<std::uint32_t> numbers(const std::string& text) {
    std::vector<std::uint32_t> result;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        result.push_back(static_cast<std::uint32_t>(std::stoul(text.substr(at, comma - at))));
        at = comma + 1;
    }
    return result;
}

} // namespace

int main(int count, char** words) {
    gpuvm::Options options;
    std::vector<std::uint32_t> variants{options.variant}, mixes{65'536};
    std::vector<std::uint32_t> lanes{32, 256, 2048, 16'384, 65'536, 262'144};
    std::uint32_t device = 0;
    std::size_t messages = 1024;
    bool peers = true, validated = false;
    for (int i = 1; i < count; ++i) {
        const std::string word = words[i];
        const std::string next = i + 1 < count ? words[i + 1] : "";
        if (word == "--variants") variants = numbers(next);
        if (word == "--lanes") lanes = numbers(next);
        if (word == "--mixes") mixes = numbers(next);
        if (word == "--slice") options.slice = numbers(next).at(0);
        if (word == "--registers") options.registers = numbers(next).at(0);
        if (word == "--device") device = numbers(next).at(0);
        if (word == "--messages") messages = numbers(next).at(0);
        if (word == "--no-peers") peers = false;
        if (word == "--validation") validated = true;
    }
    Mint mint = mint_messages(messages);
    for (MintMessage& message : mint.messages) interpret_mint(mint, message);
    Mint mixed = mint_messages(messages, true);
    for (MintMessage& message : mixed.messages) interpret_mint(mixed, message);
    const auto steps = static_cast<double>(mint.messages.front().steps);
    fmt::print("mint: {} steps, {} host calls, response of {} bytes\n", mint.messages.front().steps,
               mint.messages.front().answers.size(), mint.messages.front().response.size());
    double one = 0, many = 0;
    if (peers) {
        const unsigned cores = std::thread::hardware_concurrency();
        const auto tell = [&](const char* name, const std::function<MintRunner()>& maker) {
            const double alone = time_mint(maker, mint, 1, 4),
                         all = time_mint(maker, mint, cores, 4);
            fmt::print("{:24} {:9.3f} us on one core, {:9.4f} us on {} threads\n", name,
                       alone / 1e3, all / 1e3, cores);
            if (one == 0 || alone < one) one = alone;
            if (many == 0 || all < many) many = all;
        };
        tell("native engine", native_mint(mint));
#ifdef BLOCKLOOM_HAVE_WASM2C
        tell("wasm2c and gcc -O2", wasm2c_mint());
#endif
    }
    std::fflush(stdout);
    compute::ProviderOptions provider_options;
    provider_options.validation = validated;
    const compute::ProviderPtr provider = must(compute::open_vulkan(device, provider_options));
    fmt::print("{}\n", provider->description().name);
    for (const std::uint32_t variant : variants) {
        options.variant = variant;
        const Nanoseconds begin = now_ns();
        const auto machine = must(gpuvm::Machine::make(provider, options));
        fmt::print("variant {}: kernels ready after {:.1f} ms\n", variant,
                   static_cast<double>(now_ns() - begin) / 1e6);
        // The instance as a contract gets it: 512 pages.
        wasm::InstanceLimits limits;
        limits.embedder_pages = 512;
        wasm::Imports imports;
        for (const wasm::Import& import : mint.program->module->imports) {
            wasm::FunctionReference reference;
            reference.type = mint.program->module->types[import.type];
            imports.insert_or_assign({import.module, import.name}, reference);
        }
        auto made = wasm::Instance::make(mint.program, imports, limits);
        auto* instance = std::get_if<std::shared_ptr<wasm::Instance>>(&made);
        if (instance == nullptr) give_up("no instance");
        (void)must(machine->add(gpuvm::image_of(**instance), rules_of(mint)));
        fmt::print("{:>8} {:>11} {:>9} {:>9} {:>9} {:>10} {:>7} {:>7} {:>9} {:>8}\n", "lanes",
                   "execute ms", "us/msg", "ns/instr", "+copies", "wall us", "x one", "x all",
                   "rounds", "KiB/lane");
        // Where a batch takes as long as the peer would, between two sizes on a straight line.
        double one_even = 0, many_even = 0;
        std::pair<double, double> last{0, 0};
        const auto even = [&](double peer, double& at, double n, double took) {
            if (at != 0 || took > n * peer) return;
            const double slope = (took - last.second) / (n - last.first);
            at = last.first == 0 ? n : (last.second - slope * last.first) / (peer - slope);
        };
        for (const std::uint32_t n : lanes) {
            if (n > machine->most_lanes()) {
                fmt::print("{:>8} does not fit ({} do)\n", n, machine->most_lanes());
                continue;
            }
            const Measured m = run_batch(*machine, mint, n);
            const double each = m.execute / n;
            fmt::print(
                "{:>8} {:>11.3f} {:>9.3f} {:>9.5f} {:>9.3f} {:>10.3f} {:>7.2f} {:>7.2f} {:>9} "
                "{:>8.1f}\n",
                n, m.execute / 1e6, each / 1e3, each / steps, m.device / n / 1e3, m.all / n / 1e3,
                one / each, many / each,
                m.work.rounds / std::max<std::uint32_t>(n / machine->wave(), 1),
                static_cast<double>(m.work.frames) * machine->wave() / n);
            const auto share = [&](auto part) { return 100 * static_cast<double>(part) / m.all; };
            fmt::print(
                "         of the wall: upload {:.1f} %, execute {:.1f} %, readback {:.1f} %, "
                "host {:.1f} %\n",
                share(m.times.upload), share(m.times.execute), share(m.times.readback),
                share(m.all - m.device));
            even(one, one_even, n, m.execute);
            even(many, many_even, n, m.execute);
            last = {static_cast<double>(n), m.execute};
            std::fflush(stdout);
        }
        if (peers)
            fmt::print("execute breaks even at {:.0f} messages with one core, {:.0f} with all\n",
                       one_even, many_even);
        for (const std::uint32_t n : mixes) {
            const double apart = run_batch(*machine, mixed, n, true).execute,
                         in_turns = run_batch(*machine, mixed, n).execute;
            fmt::print("mints and names, {} lanes: {:.3f} ms sorted, {:.3f} ms in turns, {:.3f}\n",
                       n, apart / 1e6, in_turns / 1e6, in_turns / apart);
        }
    }
    if (validated)
        fmt::print("validation: {} messages\n", provider->validation_messages().value_or(~0ull));
    return 0;
}
