// A free mint end to end beside the bare contract: what instances, host functions, the overlay and
// its log cost. The bare run is the same machine code with answers that were recorded before.
#include "alkanes/guest_memory.h"
#include "alkanes/host_functions.h"
#include "alkanes/message.h"
#include "recipes/block_writer.h"
#include "recipes/contracts.h"
#include "state/memory_state.h"
#include "wasm/instantiate.h"

#include "cpu_watch.h"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <iostream>

using namespace blockloom;
using namespace blockloom::alkanes;

namespace {

constexpr AlkaneId mint{2, 5};

[[noreturn]] void give_up(const std::string& why) {
    std::cerr << why << "\n";
    std::exit(1);
}

/// A deployed free mint, a transaction that mints, and what it sees.
struct Setting {
    Setting() {
        Sha256 hasher;
        recipes::Coin coin;
        coin.txid.fill(7);
        const std::array<recipes::Payment, 3> payments{};
        const auto written = recipes::write_transaction({&coin, 1}, payments, hasher);
        transaction = written.bytes;
        state.apply(
            code_entries(mint, recipes::code_of(recipes::Contract::free_mint), CodeForm::plain));
        state.put(sequence_key(), u128_bytes(10));
        around.height = 960'000;
        around.rules = rules_at(Network::mainnet, around.height);
        around.transaction = around.coinbase = around.block = around.header = transaction;
        around.window_sequence = 10;
        state::Overlay overlay(state);
        overlay.begin_task();
        Runtime runtime(alkanes::host_imports, contracts);
        run(runtime, overlay, {0, 0, 5, 0, 'a', 'b', 'c'}, false);
        state.apply(overlay.finish()->writes);
        request.cellpack = {mint, inputs};
    }

    /// A message that must succeed; its host calls, if they are recorded.
    std::vector<HostCallRecord> run(Runtime& runtime, state::Overlay& overlay,
                                    std::vector<u128> with, bool record) {
        Surroundings now = around;
        now.record = record;
        MessageRequest message;
        message.cellpack = {mint, std::move(with)};
        MessageRun work(runtime, now, overlay, 4);
        Budget budget(100'000'000);
        const auto outcome = run_message(work, message, budget);
        if (!outcome || !outcome->verdict.ok())
            give_up(outcome ? outcome->verdict.text : outcome.error().message);
        steps = work.steps;
        return std::move(work.host_calls);
    }

    Bytes transaction;
    state::MemoryState state;
    Surroundings around;
    std::shared_ptr<Contracts> contracts = std::make_shared<Contracts>();
    std::vector<u128> inputs{77, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    MessageRequest request;
    std::uint64_t steps = 0;
};

Setting& setting() {
    static Setting made;
    return made;
}

void message_end_to_end(benchmark::State& state, Engine engine) {
    Setting& at = setting();
    Runtime runtime(alkanes::host_imports, at.contracts, engine);
    const auto once = [&] {
        state::Overlay overlay(at.state);
        overlay.begin_task();
        MessageRun work(runtime, at.around, overlay, 4);
        Budget budget(100'000'000);
        const auto outcome = run_message(work, at.request, budget);
        if (!outcome || !outcome->verdict.ok()) give_up("the mint failed");
        auto log = overlay.finish();
        benchmark::DoNotOptimize(log);
        at.steps = work.steps;
    };
    once(); // compiles
    if (engine == Engine::native) {
        const ByteView code = recipes::code_of(recipes::Contract::free_mint);
        at.contracts->wait_until_optimised(**load_contract({}, CodeForm::plain, code));
        for (int i = 0; i < 32; ++i) once(); // the runtime looks for better code now and then
    }
    for ([[maybe_unused]] const auto& _ : state) {
        bench::CpuWatch watch;
        once();
        state.SetIterationTime(watch.lap());
    }
    state.counters["steps"] = static_cast<double>(at.steps);
}

/// What each host call of a mint answered: bytes where it writes some, else a number.
struct Answer {
    std::string bytes;
    std::uint32_t number = 0;
};

std::vector<Answer> recorded_answers() {
    Setting& at = setting();
    state::Overlay overlay(at.state);
    overlay.begin_task();
    Runtime runtime(alkanes::host_imports, at.contracts);
    std::vector<Answer> answers;
    const std::string transaction(at.transaction.begin(), at.transaction.end());
    for (const HostCallRecord& call : at.run(runtime, overlay, at.inputs, true)) {
        Answer answer;
        answer.number = static_cast<std::uint32_t>(call.result.value_or(0));
        if (call.name == "__load_context")
            answer.bytes = context_bytes({mint, {0, 0}, 4}, {}, at.inputs);
        else if (call.name == "__load_transaction")
            answer.bytes = transaction;
        else if (call.name == "__load_storage")
            answer.bytes =
                at.state.get(storage_key(mint, *storage_key_from_text(call.arguments[0])))->bytes();
        answers.push_back(std::move(answer));
    }
    return answers;
}

/// Imports that answer from the record, in its order.
wasm::Imports recorded_imports(const wasm::Module& module, const std::vector<Answer>& answers,
                               std::size_t& next) {
    wasm::Imports imports;
    for (const wasm::Import& import : module.imports) {
        auto host = std::make_shared<wasm::HostFunction>();
        host->type = module.types[import.type];
        const bool writes = import.name.starts_with("__load_");
        host->call = [&answers, &next, writes](wasm::HostCall& call) {
            const Answer& answer = answers[next++];
            if (writes)
                (void)GuestMemory(*call.instance.memory())
                    .write(static_cast<std::uint32_t>(call.arguments.back()), answer.bytes);
            if (!call.results.empty()) call.results[0] = answer.number;
            return wasm::HostAnswer::done;
        };
        wasm::FunctionReference reference;
        reference.type = host->type;
        reference.host = std::move(host);
        imports.insert_or_assign({import.module, import.name}, std::move(reference));
    }
    return imports;
}

void bare_contract(benchmark::State& state, Engine engine) {
    const std::vector<Answer> answers = recorded_answers();
    const ByteView code = recipes::code_of(recipes::Contract::free_mint);
    const auto contract = *load_contract({}, CodeForm::plain, code);
    std::size_t next = 0;
    wasm::InstanceLimits limits;
    limits.embedder_pages = 512;
    auto made = wasm::instantiate(
        contract->program, recorded_imports(*contract->program->module, answers, next), limits);
    auto* instance = std::get_if<std::shared_ptr<wasm::Instance>>(&made);
    if (instance == nullptr) give_up("no instance");
    wasm::Interpreter interpreter(**instance);
    Contracts contracts;
    contracts.wait_until_optimised(*contract);
    const auto native = contracts.machine_code(*contract, true);
    if (native.code == nullptr) give_up(native.why.message);
    native::Runner runner(**instance, native.code);
    wasm::RunResult result;
    for ([[maybe_unused]] const auto& _ : state) {
        (*instance)->reset(); // not timed: nobody could run without it, and it is no instruction
        next = 0;
        bench::CpuWatch watch;
        if (engine != Engine::native)
            result = interpreter.invoke(contract->execute, {});
        else if (const Status ran = runner.invoke(contract->execute, {}, {}, result); !ran)
            give_up(ran.error().message);
        state.SetIterationTime(watch.lap());
        if (result.outcome != wasm::Outcome::returned || next != answers.size())
            give_up("the bare run went another way");
    }
    state.counters["steps"] = static_cast<double>(result.steps);
}

BENCHMARK_CAPTURE(bare_contract, native, Engine::native)->UseManualTime();
BENCHMARK_CAPTURE(message_end_to_end, native, Engine::native)->UseManualTime();
BENCHMARK_CAPTURE(bare_contract, interpreter, Engine::interpreter)->UseManualTime();
BENCHMARK_CAPTURE(message_end_to_end, interpreter, Engine::interpreter)->UseManualTime();

} // namespace

BENCHMARK_MAIN();
