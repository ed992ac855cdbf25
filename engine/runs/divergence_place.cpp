#include "runs/divergence_place.h"

#include "alkanes/contract_machine.h"
#include "alkanes/guest_memory.h"
#include "alkanes/host_functions.h"
#include "alkanes/transaction_run.h"
#include "execute/seen_state.h"
#include "wasm/function_name.h"
#include "wasm/instantiate.h"

#include <algorithm>
#include <fmt/format.h>

namespace blockloom::runs {
namespace {

using alkanes::MessageRecord;
using alkanes::TransactionResult;

constexpr const char* stopped = "stopped here on purpose";

/// Runs the contracts that messages name on the interpreter, and stops one message at one of its
/// own host calls: the trap has the place.
class StoppingMachine final : public alkanes::ContractMachine {
public:
    /// `vout`: the message's; `call`: its own host calls before the one to stop at.
    StoppingMachine(std::uint32_t vout, std::size_t call) : vout_(vout), call_(call) {}

    [[nodiscard]] const std::optional<CodePlace>& place() const noexcept { return place_; }

    Result<alkanes::MachineRun> run(alkanes::Runtime& runtime, alkanes::Frame& frame,
                                    const std::shared_ptr<const alkanes::Contract>& contract,
                                    std::uint64_t fuel) override {
        const bool watched = frame.run.vout() == vout_;
        std::size_t calls = 0;
        auto imports = alkanes::host_imports(runtime.running);
        for (auto& [name, import] : imports) {
            auto* const reference = std::get_if<wasm::FunctionReference>(&import);
            if (reference == nullptr || reference->host == nullptr) continue;
            auto host = std::make_shared<wasm::HostFunction>(*reference->host);
            host->call = [this, watched, &calls, inner = reference->host](wasm::HostCall& call) {
                if (watched && calls++ == call_) {
                    call.error = stopped;
                    return wasm::HostAnswer::done;
                }
                return inner->call(call);
            };
            reference->host = std::move(host);
        }
        wasm::InstanceLimits limits;
        {
            const auto acquired = runtime.acquire(contract);
            if (!acquired) return acquired.error();
            if (const auto* machine = std::get_if<alkanes::Runtime::Machine>(&*acquired))
                limits = machine->instance().limits();
        }
        const auto made = wasm::instantiate(contract->program, imports, limits);
        if (const auto* error = std::get_if<wasm::LinkError>(&made))
            return Error{ErrorCode::bad_input, "contract: " + error->text};
        if (const auto* error = std::get_if<Error>(&made)) return *error;
        wasm::Instance& instance = *std::get<0>(made);
        wasm::RunLimits run;
        run.fuel = fuel;
        run.stop = frame.run.surroundings().stop_token();
        alkanes::MachineRun ran;
        alkanes::Frame* const before = std::exchange(runtime.running, &frame);
        ran.result = wasm::Interpreter(instance).invoke(contract->execute, {}, run);
        runtime.running = before;
        ran.pages = instance.memory()->pages();
        ran.least_left = fuel - std::min(fuel, ran.result.fuel_used);
        if (ran.result.outcome == wasm::Outcome::returned) {
            if (const auto bytes =
                    alkanes::GuestMemory(*instance.memory())
                        .read(static_cast<std::uint32_t>(ran.result.results.front())))
                ran.response = std::string(*bytes);
        } else if (watched && ran.result.trap.text == stopped) {
            const wasm::Trap& trap = ran.result.trap;
            place_ = CodePlace{contract->hash, trap.function, trap.offset,
                               function_name(*contract->program->module, trap.function)};
        }
        return ran;
    }

private:
    std::uint32_t vout_;
    std::size_t call_;
    std::optional<CodePlace> place_;
};

/// The transaction of a side, and how to run it again.
struct Side {
    const execute::ReplayedBlock* block = nullptr;
    const TransactionResult* transaction = nullptr;
    std::uint64_t budget = 0;
    const MessageRecord* record = nullptr;
};

std::optional<Side> side_of(const execute::ReplayedBlock& block,
                            const BlockDivergence& divergence) {
    const auto& all = block.execution->transactions;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].transaction != divergence.transaction) continue;
        for (const MessageRecord& record : all[i].records)
            if (record.protostone == *divergence.protostone)
                return Side{&block, &all[i], block.execution->budgets[i], &record};
    }
    return std::nullopt;
}

Result<TransactionResult> again(const Side& side, alkanes::ContractMachine* machine,
                                const std::stop_token& stop) {
    const state::MemoryState before = execute::seen_state(side.transaction->log);
    alkanes::Runtime runtime(alkanes::host_imports, side.block->contracts,
                             alkanes::Engine::interpreter);
    runtime.machine = machine;
    alkanes::TransactionOptions options;
    options.record = machine == nullptr;
    options.stop = stop;
    return alkanes::execute_transaction(
        runtime, *side.block->context, side.transaction->transaction, before, side.budget, options);
}

/// Whether the interpreter, given what the side read, does what the side did.
Result<bool> as_interpreter(const Side& side, const std::stop_token& stop) {
    const auto ran = again(side, nullptr, stop);
    if (!ran) return ran.error();
    const auto place = static_cast<std::size_t>(side.record - side.transaction->records.data());
    if (place >= ran->records.size()) return false;
    const MessageRecord &a = *side.record, &b = ran->records[place];
    if (a.status != b.status || a.data != b.data || a.storage != b.storage ||
        a.transfers != b.transfers || a.fuel_used != b.fuel_used ||
        a.host_calls.size() != b.host_calls.size())
        return false;
    for (std::size_t i = 0; i < a.host_calls.size(); ++i)
        if (a.host_calls[i].name != b.host_calls[i].name ||
            a.host_calls[i].arguments != b.host_calls[i].arguments ||
            a.host_calls[i].result != b.host_calls[i].result)
            return false;
    return true;
}

/// Where the message makes the own host call that `call` is, or is inside of.
Result<std::optional<CodePlace>> place_of(const Side& side, std::size_t call,
                                          const std::stop_token& stop) {
    const auto& calls = side.record->host_calls;
    std::size_t own = 0; // of the message itself, up to and with this one
    for (std::size_t i = 0; i < calls.size() && i <= call; ++i) own += calls[i].level == 0;
    if (call >= calls.size() || own == 0) return std::optional<CodePlace>();
    StoppingMachine machine(side.record->shadow_vout, own - 1);
    const auto ran = again(side, &machine, stop);
    if (!ran) return ran.error();
    return machine.place();
}

} // namespace

Status locate(BlockDivergence& divergence, const execute::ReplayedBlock& a,
              const execute::ReplayedBlock& b, const std::stop_token& stop) {
    const auto cancelled = [&stop] { return stop.stop_requested(); };
    if (!divergence.protostone) {
        divergence.no_place = "it belongs to no message";
        return {};
    }
    const auto side_a = side_of(a, divergence), side_b = side_of(b, divergence);
    if (!side_a || !side_b) {
        divergence.no_place = "only one side has the message";
        return {};
    }
    for (const auto& [side, into] : {std::pair{&*side_a, &divergence.a_as_interpreter},
                                     {&*side_b, &divergence.b_as_interpreter}}) {
        const auto same = as_interpreter(*side, stop);
        if (cancelled()) return cancelled_error();
        if (same) *into = *same;
    }
    // Follow the side that the interpreter agrees with.
    const bool by_b = divergence.a_as_interpreter == false && divergence.b_as_interpreter == true;
    const Side& guide = by_b ? *side_b : *side_a;
    const std::size_t calls = guide.record->host_calls.size();
    const std::size_t at = divergence.call ? divergence.call->index : calls;
    for (const auto& [call, into] :
         {std::pair{at, &divergence.first_different}, {at - 1, &divergence.last_same}}) {
        if (call >= calls) continue; // before the first, after the last
        auto place = place_of(guide, call, stop);
        if (cancelled()) return cancelled_error();
        if (!place)
            divergence.no_place = place.error().message;
        else
            *into = *place;
    }
    if (!divergence.first_different && !divergence.last_same && divergence.no_place.empty())
        divergence.no_place = "the interpreter does not reach it with the values that were read";
    return {};
}

} // namespace blockloom::runs
