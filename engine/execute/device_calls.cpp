#include "execute/device_calls.h"

#include "alkanes/message_run.h"
#include "alkanes/state_keys.h"
#include "execute/device_batch.h"
#include "execute/device_rules.h"

#include <algorithm>
#include <fmt/format.h>

namespace blockloom::execute {
namespace {

using alkanes::Runtime;

/// Of each kind of call of which no habit is known, so many go ahead of the others.
constexpr std::size_t pilots_of_a_kind = 16, enough_for_pilots = 64;
/// Longer values are not sent ahead.
constexpr std::size_t most_value = 4096;

/// Lanes that stand side by side run the same instructions.
bool goes_before(const DeviceCall* a, const DeviceCall* b) {
    return a->kind < b->kind;
}

} // namespace

Result<std::unique_ptr<DeviceCalls>> DeviceCalls::make(compute::ProviderPtr provider,
                                                       const gpuvm::Options& options) {
    std::unique_ptr<DeviceCalls> calls(new DeviceCalls);
    gpuvm::Options with = options;
    if (!with.spread)
        with.spread = [self = calls.get()](std::size_t count,
                                           const std::function<void(std::size_t)>& work) {
            self->for_each(count, 1, work);
        };
    auto machine = gpuvm::Machine::make(std::move(provider), with);
    if (!machine) return machine.error();
    calls->machine_ = *std::move(machine);
    calls->batch_ = calls->machine_->batch();
    return calls;
}

DeviceCalls::~DeviceCalls() = default;

std::size_t DeviceCalls::most_calls() const {
    return machine_->most_lanes();
}

void DeviceCalls::for_each(std::size_t count, std::size_t grain,
                           const std::function<void(std::size_t)>& work) const {
    const auto part = [&](std::size_t k) {
        for (std::size_t i = k * grain; i < std::min(count, (k + 1) * grain); ++i) work(i);
    };
    const std::size_t parts = (count + grain - 1) / grain;
    if (spread && parts > 1) return spread(parts, part);
    for (std::size_t k = 0; k < parts; ++k) part(k);
}

void DeviceCalls::fail(const Error& error, std::size_t calls) {
    notes_.push_back(fmt::format("device: {}; {} messages run on the host", error.message, calls));
    failure_ = error.message;
    if (error.code == compute::device_lost || error.code == compute::timed_out ||
        error.code == compute::corrupted)
        lost_ = error.message;
}

Result<std::uint32_t> DeviceCalls::program_of(const DeviceCall& call) {
    const alkanes::Surroundings& around = call.frame->run.surroundings();
    const ProgramKey key{call.contract.get(), around.rules.host_fees_deducted, around.record};
    if (const auto found = programs_.find(key); found != programs_.end())
        return found->second.number;
    auto acquired = call.runtime->acquire(call.contract);
    if (!acquired) return acquired.error();
    if (const auto* refusal = std::get_if<Runtime::Refusal>(&*acquired))
        return Error{ErrorCode::bad_input, refusal->text};
    const auto image = gpuvm::image_of(std::get<Runtime::Machine>(*acquired).instance());
    auto number = machine_->add(
        image, device_rules(*call.contract->program->module, around.rules, around.record));
    if (!number) return number;
    programs_.emplace(key, Program{*number, call.contract});
    return number;
}

Status DeviceCall::log_reads() {
    for (const std::uint32_t place : reads) {
        const auto value =
            frame->run.overlay().get(alkanes::storage_key(frame->myself, known[place].name));
        if (!value) return value.error();
    }
    reads.clear();
    return {};
}

void DeviceCalls::look_ahead(DeviceCall& call) const {
    alkanes::Frame& frame = *call.frame;
    const auto& inputs = frame.calldata.inputs;
    call.kind = {call.contract->hash, inputs.empty() ? u128{0} : inputs.front()};
    if (frame.context.empty())
        frame.context = context_bytes({frame.myself, frame.caller, frame.run.vout()},
                                      frame.calldata.incoming, frame.calldata.inputs);
    call.known.clear();
    if (frame.run.surroundings().record) return; // the host answers all
    for (std::string& name : habits_.expected(call.kind, call.txid)) {
        auto value = frame.run.overlay().peek(alkanes::storage_key(frame.myself, name));
        if (value && value->size() <= most_value)
            call.known.push_back({std::move(name), *std::move(value)});
    }
}

std::vector<DeviceCall*> DeviceCalls::pilots(std::vector<DeviceCall*>& calls) const {
    std::vector<DeviceCall*> first, others;
    std::map<HabitKey, std::size_t> seen;
    for (DeviceCall* const call : calls) {
        const bool goes = !habits_.knows(call->kind) && seen[call->kind]++ < pilots_of_a_kind;
        (goes ? first : others).push_back(call);
    }
    if (others.empty()) return {};
    calls = std::move(others);
    return first;
}

Status DeviceCalls::run(std::vector<DeviceCall*> calls, const std::stop_token& stop,
                        const Ended& ended) {
    Status status;
    const auto first =
        calls.size() < enough_for_pilots ? std::vector<DeviceCall*>() : pilots(calls);
    for (const DeviceCall* const call : first) habits_.meet(call->kind);
    std::stable_sort(calls.begin(), calls.end(), goes_before);
    for (std::size_t i = 0; i < calls.size(); ++i)
        if (i == 0 || calls[i - 1]->kind != calls[i]->kind) habits_.meet(calls[i]->kind);
    if (!first.empty()) {
        status = run_batches(first, stop, ended);
        for_each(calls.size(), 64, [&](std::size_t i) {
            if (calls[i]->known.empty()) look_ahead(*calls[i]);
        });
    }
    const Status ran = run_batches(calls, stop, ended);
    return status ? ran : status;
}

Status DeviceCalls::run_batches(std::span<DeviceCall* const> calls, const std::stop_token& stop,
                                const Ended& ended) {
    const std::size_t most = most_calls();
    Status status;
    for (std::size_t begin = 0; begin < calls.size(); begin += most) {
        const auto part = calls.subspan(begin, std::min(most, calls.size() - begin));
        if (!status || !lost_.empty()) {
            for (DeviceCall* const call : part)
                call->ejection = status ? "device_lost" : "cancelled";
            ended(part);
            continue;
        }
        // Programs are forgotten when there is no room for more: no batch holds lanes of theirs
        // now.
        if (machine_->programs() > 512) {
            machine_->clear();
            programs_.clear();
        }
        status = BatchRun(*this, part, stop, ended).perform();
    }
    return status;
}

Result<alkanes::MachineRun>
DeviceMachine::run(Runtime& runtime, alkanes::Frame& frame,
                   const std::shared_ptr<const alkanes::Contract>& contract, std::uint64_t fuel) {
    DeviceCall call;
    call.runtime = &runtime;
    call.frame = &frame;
    call.contract = contract;
    call.fuel = fuel;
    device_.look_ahead(call);
    const Status ran =
        device_.run({&call}, frame.run.surroundings().stop, [](std::span<DeviceCall* const>) {});
    if (!ran) return ran.error();
    if (call.ran) {
        if (const Status logged = call.log_reads(); !logged) return logged.error();
        return *std::move(call.ran);
    }
    ejection = call.ejection;
    return Error{ErrorCode::unavailable, "device: ejected: " + ejection};
}

} // namespace blockloom::execute
