#include "alkanes/message_run.h"

#include "alkanes/contract_machine.h"
#include "alkanes/guest_memory.h"
#include "alkanes/profiler.h"
#include "base/progress.h"
#include "base/sha256.h"

#include <fmt/format.h>

#include <array>

namespace blockloom::alkanes {
namespace {

Verdict failed(std::string text) {
    return {CallStatus::error, std::move(text)};
}

/// A clone's code is its template's; more steps than anyone takes mean a circle.
constexpr int most_samples = 64;

Verdict verdict_of_trap(const wasm::Trap& trap) {
    std::string text = wasm::name_of(trap.kind);
    if (!trap.text.empty()) text += ": " + trap.text;
    return {trap.kind == wasm::TrapKind::out_of_fuel ? CallStatus::out_of_fuel : CallStatus::trap,
            std::move(text)};
}

/// Why a contract that set `had_failure` reverts.
Verdict verdict_of_failure(const Frame& frame, const Response& response) {
    const CallStatus status = frame.fuel_missing ? CallStatus::out_of_fuel : CallStatus::revert;
    if (const auto text = revert_text(response.data))
        return {status, std::string(*text), Verdict::Words::contract};
    return {status, frame.failure, Verdict::Words::none};
}

/// Swaps a frame's buffers with those that another frame of this level has left, or will get.
void swap_buffers(Frame& frame) noexcept {
    constexpr std::size_t most_levels = 8;
    struct Buffers {
        std::string context, returndata;
    };
    thread_local std::array<Buffers, most_levels> left;
    if (frame.level >= most_levels) return;
    frame.context.swap(left[frame.level].context);
    frame.returndata.swap(left[frame.level].returndata);
}

/// Sets the running frame for as long as its contract runs.
class Running {
public:
    Running(Runtime& runtime, Frame& frame)
        : runtime_(runtime), before_(std::exchange(runtime.running, &frame)) {
        swap_buffers(frame); // for their memory
        frame.context.clear();
        frame.returndata.clear();
    }
    ~Running() {
        swap_buffers(*runtime_.running);
        runtime_.running = before_;
    }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

private:
    Runtime& runtime_;
    Frame* before_;
};

/// Profiles one run of an instance, where somebody asked for it.
class Profiled {
public:
    Profiled(Profiler* profiler, std::uint32_t vout,
             const std::shared_ptr<const Contract>& contract, wasm::Interpreter& interpreter)
        : profiler_(profiler), vout_(vout), contract_(contract), interpreter_(interpreter) {
        if (profiler_ != nullptr) interpreter_.set_profile(&functions_);
    }
    ~Profiled() {
        if (profiler_ == nullptr) return;
        interpreter_.set_profile(nullptr);
        profiler_->add(vout_, contract_, functions_);
    }
    Profiled(const Profiled&) = delete;
    Profiled& operator=(const Profiled&) = delete;

private:
    Profiler* profiler_;
    std::uint32_t vout_;
    const std::shared_ptr<const Contract>& contract_;
    wasm::Interpreter& interpreter_;
    std::vector<wasm::FunctionProfile> functions_;
};

} // namespace

const char* name_of(CallStatus status) noexcept {
    switch (status) {
    case CallStatus::success:
        return "success";
    case CallStatus::revert:
        return "revert";
    case CallStatus::trap:
        return "trap";
    case CallStatus::out_of_fuel:
        return "out_of_fuel";
    case CallStatus::error:
        return "error";
    case CallStatus::ejected:
        return "ejected";
    }
    return "?";
}

Result<Verdict> MessageRun::resolve(const AlkaneId& target, Target& found) {
    found.myself = target;
    found.created = false;
    // Only for who needs it: all threads share the count of its owners.
    const auto has_no_code = [&] {
        found.contract = empty_contract();
        return Verdict{};
    };
    const Rules& rules = surroundings_->rules;
    // In releases [8, n] and [42, n] name nothing, like any other block: an empty module, which
    // fails once it is to run.
    if (target.block == 4 || target.block == 32 ||
        (target.block == 42 && rules.built_in_namespaces))
        return find_code(target, found.contract);
    if (target.block == 2) {
        if (target.tx >= surroundings_->window_sequence) {
            const auto exists = overlay_->is_above(sequence_key(), target.tx);
            if (!exists) return exists.error();
            if (!*exists) return has_no_code();
        }
        return find_code(target, found.contract);
    }
    if (target == AlkaneId{1, 0} || target.block == 3 || target.block == 5 || target.block == 6)
        return create(target, found);
    if (target.block == 8 && rules.built_in_namespaces)
        return failed(fmt::format("{} has no built-in code", id_text(target)));
    return has_no_code();
}

Result<Verdict> MessageRun::find_code(AlkaneId id, std::shared_ptr<const Contract>& found) {
    for (int hops = 0; hops < most_samples; ++hops) {
        if (surroundings_->built_ins != nullptr) {
            auto built_in = surroundings_->built_ins->at(id, surroundings_->height);
            if (!built_in) return built_in.error();
            if (*built_in != nullptr) {
                found = *std::move(built_in);
                return Verdict{};
            }
        }
        const auto value = overlay_->get(code_key(id));
        if (!value) return value.error();
        if (value->bytes().empty())
            return failed(fmt::format("code of {}: expected gzip data, found none", id_text(id)));
        const auto code = code_value(value->bytes());
        if (!code)
            return failed(fmt::format("code of {}: expected a template or a hash, found {} "
                                      "other bytes",
                                      id_text(id), value->size()));
        if (code->sample) {
            id = *code->sample;
            continue;
        }
        auto loaded = load(code->hash, code->form);
        if (!loaded) return loaded.error();
        if (*loaded == nullptr)
            return failed(fmt::format("code of {}: {} is not in the state", id_text(id),
                                      key_text(bytecode_key(code->hash))));
        found = *std::move(loaded);
        return usable(*found);
    }
    return failed(
        fmt::format("code of {}: more than {} templates of templates", id_text(id), most_samples));
}

Verdict MessageRun::usable(const Contract& contract) const {
    if (!contract.stored_error.empty()) return failed(contract.stored_error);
    if (surroundings_->rules.code_size_limit && !contract.oversize.empty())
        return failed(contract.oversize);
    return {};
}

Result<std::shared_ptr<const Contract>> MessageRun::load(const Hash256& hash, CodeForm form) {
    const wasm::FuelRule fuel = surroundings_->rules.fuel;
    if (auto known = runtime_->find_contract(hash, form, fuel)) return known;
    const auto stored = overlay_->peek(bytecode_key(hash));
    if (!stored) return stored.error();
    if (!*stored) return std::shared_ptr<const Contract>();
    auto loaded = load_contract(hash, form, as_bytes(stored->bytes()), fuel);
    if (!loaded) return loaded;
    return runtime_->contracts().keep(*std::move(loaded));
}

Result<Verdict> MessageRun::create(const AlkaneId& target, Target& found) {
    found.created = true;
    const bool numbered = target.block != 3;
    if (numbered) {
        const auto counter = overlay_->get(sequence_key());
        if (!counter) return counter.error();
        found.myself = {2, state::counter_of(*counter)};
    } else {
        found.myself = {4, target.tx};
    }
    const auto count = [&] {
        if (numbered) overlay_->set(sequence_key(), state::value_of_counter(found.myself.tx + 1));
    };
    const auto write = [&](const state::WriteSet& entries) {
        for (const auto& [key, value] : entries) overlay_->set(key, value);
    };
    if (target.block == 5 || target.block == 6) {
        const AlkaneId sample{target.block == 5 ? 2U : 4U, target.tx};
        count();
        write(clone_entries(found.myself, sample));
        return find_code(sample, found.contract);
    }
    const Bytes* const payload = surroundings_->deployed;
    if (payload == nullptr)
        return failed(
            fmt::format("{}: expected an envelope in the witness, found none", id_text(target)));
    if (!numbered) {
        const auto held = overlay_->get(code_key(found.myself));
        if (!held) return held.error();
        if (!held->bytes().empty())
            return failed(
                fmt::format("{}: {} already holds code", id_text(target), id_text(found.myself)));
    }
    write(code_entries(found.myself, *payload, CodeForm::gzip));
    const Hash256 hash = Sha256().once({*payload});
    const wasm::FuelRule fuel = surroundings_->rules.fuel;
    found.contract = runtime_->find_contract(hash, CodeForm::gzip, fuel);
    if (found.contract == nullptr) {
        auto loaded = load_contract(hash, CodeForm::gzip, *payload, fuel);
        if (!loaded) return loaded.error();
        found.contract = runtime_->contracts().keep(*std::move(loaded));
    }
    Verdict verdict = usable(*found.contract);
    if (verdict.ok()) count();
    return verdict;
}

void MessageRun::note_created(const Target& target) {
    if (!surroundings_->events || !target.created) return;
    CallEvent event;
    event.kind = CallEvent::Kind::created;
    event.myself = target.myself;
    events.push_back(std::move(event));
}

void MessageRun::note_enter(NestedKind call, const Frame& frame, std::uint64_t fuel) {
    if (!surroundings_->events) return;
    CallEvent event;
    event.call = call;
    event.myself = frame.myself;
    event.caller = frame.caller;
    event.inputs.assign(frame.calldata.inputs.begin(), frame.calldata.inputs.end());
    event.vout = vout_;
    event.fuel = fuel;
    event.transfers.assign(frame.calldata.incoming.begin(), frame.calldata.incoming.end());
    events.push_back(std::move(event));
}

void MessageRun::note_success(const Parcel& transfers, const StorageMap& storage,
                              std::string_view data) {
    if (!surroundings_->events) return;
    CallEvent event;
    event.kind = CallEvent::Kind::exit;
    event.ok = true;
    event.transfers.assign(transfers.begin(), transfers.end());
    for (const auto& [key, value] : storage)
        event.storage.emplace_back(std::string(key), std::string(value));
    event.data = data;
    events.push_back(std::move(event));
}

void MessageRun::note_failure(std::string_view text) {
    if (!surroundings_->events) return;
    CallEvent event;
    event.kind = CallEvent::Kind::exit;
    event.data = revert_data(text);
    events.push_back(std::move(event));
}

void MessageRun::store(const AlkaneId& contract, const StorageMap& map) {
    for (const auto& [name, value] : map)
        overlay_->set(storage_key(contract, name), state::Value(value.view()));
}

Result<CallOutcome> MessageRun::execute(Frame& frame,
                                        const std::shared_ptr<const Contract>& contract,
                                        std::uint64_t fuel) {
    if (auto ended = begin_call(frame, *contract, fuel)) return *std::move(ended);
    auto end = run_call(frame, contract, fuel);
    if (!end) return end.error();
    return end_call(frame, fuel, *std::move(end));
}

std::optional<CallOutcome> MessageRun::begin_call(const Frame& frame, const Contract& contract,
                                                  std::uint64_t fuel) {
    CallOutcome outcome;
    if (!contract.module_error.empty()) {
        outcome.verdict = failed(contract.module_error);
        return outcome;
    }
    if (!contract.own_import.empty() && !surroundings_->rules.watched_imports) {
        outcome.verdict = failed(contract.own_import);
        return outcome;
    }
    if (!contract.ejection.empty()) {
        outcome.verdict = {CallStatus::ejected, contract.ejection};
        return outcome;
    }
    if (fuel_doubt.empty() && !contract.program->fuel_doubt.empty())
        fuel_doubt = fmt::format("{}: {}", id_text(frame.myself), contract.program->fuel_doubt);
    if (frame.level == 0) message_fuel = fuel;
    overlay_->checkpoint();
    return std::nullopt;
}

Result<ContractEnd> MessageRun::run_call(Frame& frame,
                                         const std::shared_ptr<const Contract>& contract,
                                         std::uint64_t fuel) {
    auto acquired = runtime_->acquire(contract, surroundings_->stop_token());
    if (!acquired) return acquired.error();
    if (auto* const refusal = std::get_if<Runtime::Refusal>(&*acquired)) {
        ContractEnd end;
        end.refusal = std::move(*refusal);
        return end;
    }
    if (runtime_->machine == nullptr || frame.level != 0)
        return run_here(std::get<Runtime::Machine>(*acquired), frame, contract, fuel);
    const auto ran = runtime_->machine->run(*runtime_, frame, contract, fuel);
    if (!ran) return ran.error();
    return end_of(*ran);
}

Result<ContractEnd> MessageRun::run_here(Runtime::Machine& machine, Frame& frame,
                                         const std::shared_ptr<const Contract>& contract,
                                         std::uint64_t fuel) {
    ContractEnd end;
    end.engine = machine.engine();
    const wasm::RunLimits& limits = runtime_->limits(fuel, surroundings_->stop_token());
    const Running running(*runtime_, frame);
    const Profiled profiled(end.engine == Engine::interpreter ? runtime_->profiler : nullptr, vout_,
                            contract, machine.interpreter());
    const auto ran = machine.invoke(contract->execute, limits);
    if (!ran) return ran.error();
    const wasm::RunResult& result = **ran;
    end.outcome = result.outcome;
    end.fuel_used = result.fuel_used;
    end.steps = result.steps;
    const auto memory = machine.instance().memory();
    end.touched_pages = memory->touched_pages();
    end.final_pages = memory->pages();
    if (end.outcome != wasm::Outcome::returned)
        end.trap = result.trap;
    else if (const auto bytes =
                 GuestMemory(*memory).read(static_cast<std::uint32_t>(result.results.front())))
        end.response = FlatText::placed(overlay_->scratch(), *bytes).view();
    return end;
}

ContractEnd MessageRun::end_of(const MachineRun& ran) {
    ContractEnd end;
    end.engine = ran.engine;
    end.outcome = ran.result.outcome;
    end.trap = ran.result.trap;
    end.fuel_used = ran.result.fuel_used;
    end.steps = ran.result.steps;
    end.final_pages = ran.pages;
    if (ran.response) end.response = FlatText::placed(overlay_->scratch(), *ran.response).view();
    fuel_read = fuel_read || ran.fuel_read;
    note_left(ran.least_left);
    return end;
}

Result<CallOutcome> MessageRun::end_call(const Frame& frame, std::uint64_t fuel, ContractEnd end) {
    CallOutcome outcome;
    if (end.refusal) {
        overlay_->rollback();
        outcome.verdict = {end.refusal->ejected ? CallStatus::ejected : CallStatus::error,
                           std::move(end.refusal->text)};
        return outcome;
    }
    outcome.engine = end.engine;
    outcome.touched_pages = end.touched_pages;
    outcome.final_pages = end.final_pages;
    outcome.gas = end.fuel_used;
    steps += end.steps;
    note_left(fuel - end.fuel_used);
    if (broken) return *broken;
    if (end.outcome != wasm::Outcome::returned) {
        if (end.trap.kind == wasm::TrapKind::cancelled) return cancelled_error();
        if (end.trap.kind == wasm::TrapKind::out_of_fuel) ran_out = true;
        outcome.verdict = verdict_of_trap(end.trap);
    } else {
        auto response = end.response
                            ? parse_response(*end.response, overlay_->scratch())
                            : Result<Response>(Error{ErrorCode::bad_input,
                                                     "response: its pointer lies outside the "
                                                     "memory"});
        if (end.response && surroundings_->keep_response) outcome.bytes = *end.response;
        if (response) outcome.response = *std::move(response);
        if (frame.had_failure)
            outcome.verdict = verdict_of_failure(frame, outcome.response);
        else if (!response)
            outcome.verdict = failed(response.error().message);
    }
    if (!outcome.verdict.ok()) {
        overlay_->rollback();
        return outcome;
    }
    overlay_->commit();
    outcome.gas += surroundings_->rules.stored_byte * storage_map_size(outcome.response.storage);
    note_left(fuel - std::min(fuel, outcome.gas));
    return outcome;
}

} // namespace blockloom::alkanes
