#include "execute/device/device_programs.h"

#include "alkanes/message_run.h"
#include "execute/device/device_rules.h"
#include "simt/lane_machine.h"

#include <algorithm>
#include <fmt/format.h>

namespace blockloom::execute {

Result<std::unique_ptr<DevicePrograms>> DevicePrograms::make(compute::ProviderPtr provider,
                                                             const gpuvm::Options& options) {
    auto machine = simt::machine_for(std::move(provider), options);
    if (!machine) return machine.error();
    std::unique_ptr<DevicePrograms> programs(new DevicePrograms);
    programs->machine_ = *std::move(machine);
    const std::string& backend = programs->machine_->provider().description().backend;
    if (backend == "simt") programs->engine_ = alkanes::Engine::simt;
    if (backend == "cuda") programs->engine_ = alkanes::Engine::cuda;
    for (unsigned i = 0; i < programs->machine_->batches_at_once(); ++i)
        programs->batches_.push_back(programs->machine_->batch());
    return programs;
}

DevicePrograms::~DevicePrograms() = default;

std::size_t DevicePrograms::most_calls() const {
    return machine_->most_lanes();
}

std::vector<std::string> DevicePrograms::take_compiled() {
    std::vector<std::string> all;
    for (const gpuvm::CompiledCode& code : machine_->take_compiled()) {
        const auto of = std::ranges::find_if(
            programs_, [&](const auto& each) { return each.second.number == code.program; });
        const std::string contract =
            of == programs_.end() ? std::string() : to_hex(of->second.contract->hash).substr(0, 12);
        all.push_back(
            fmt::format("device: code of contract {} {} in {} ms, {} KiB of memory a lane",
                        contract, code.kept ? "loaded" : "compiled", code.took / 1'000'000,
                        (code.lane_bytes + 1023) / 1024));
    }
    return all;
}

void DevicePrograms::note_code() {
    std::map<std::uint32_t, const alkanes::Contract*> contracts;
    for (const auto& [key, program] : programs_) contracts[program.number] = key.contract;
    for (gpuvm::CodeFacts& facts : machine_->code()) {
        const auto contract = contracts.find(facts.program);
        if (contract == contracts.end()) continue;
        ContractCode& of = code_[contract->second->hash];
        of.module = contract->second->hash;
        of.function = contract->second->execute;
        // Programs that differ only by what answers their imports share code.
        if (of.code.empty())
            of.code.push_back(std::move(facts));
        else if (facts.compilations.size() >= of.code.front().compilations.size())
            of.code.front() = std::move(facts);
    }
}

std::vector<ContractCode> DevicePrograms::contract_code() {
    const std::lock_guard lock(guard_);
    note_code();
    std::vector<ContractCode> all;
    for (const auto& [module, code] : code_) all.push_back(code);
    return all;
}

ContractCode& DevicePrograms::code_of(const alkanes::Contract& contract) {
    ContractCode& code = code_[contract.hash];
    code.module = contract.hash;
    code.function = contract.execute;
    return code;
}

void DevicePrograms::Ends::add(const DeviceCall& call, bool on_processor) {
    auto of = std::ranges::find(of_, call.contract, &Of::contract);
    if (of == of_.end()) of = of_.insert(of, {call.contract, {}, 0, 0});
    ++(on_processor ? of->on_processor : of->on_device);
    const alkanes::AlkaneId& id = call.frame->myself;
    if (of->ids.size() < ContractCode::most_contracts && (of->ids.empty() || of->ids.back() != id))
        of->ids.push_back(id);
}

void DevicePrograms::count(const Ends& ends) {
    const std::lock_guard lock(guard_);
    for (const Ends::Of& of : ends.of_) {
        ContractCode& code = code_of(*of.contract);
        code.on_processor += of.on_processor;
        (engine_ == alkanes::Engine::vulkan ? code.interpreted : code.compiled) += of.on_device;
        for (const alkanes::AlkaneId& id : of.ids)
            if (code.contracts.size() < ContractCode::most_contracts) code.contracts.insert(id);
    }
}

void DevicePrograms::count_ejected(const DeviceCall& call, const char* reason) {
    const std::lock_guard lock(guard_);
    ContractCode& code = code_of(*call.contract);
    ++code.ejected[reason];
    if (code.contracts.size() < ContractCode::most_contracts)
        code.contracts.insert(call.frame->myself);
}

void DevicePrograms::make_room() {
    if (machine_->programs() <= most_programs) return;
    {
        const std::lock_guard lock(guard_);
        note_code();
    }
    machine_->clear();
    programs_.clear();
}

DevicePrograms::ProgramKey DevicePrograms::key_of(const DeviceCall& call) {
    const alkanes::Surroundings& around = call.frame->run.surroundings();
    return {call.contract.get(), around.rules.host_fees_deducted, around.record};
}

std::uint32_t DevicePrograms::Finder::find(const DeviceCall& call) {
    const ProgramKey key = key_of(call);
    if (key == last_) return number_;
    const auto found = programs_.programs_.find(key);
    last_ = key;
    return number_ = found == programs_.programs_.end() ? unknown : found->second.number;
}

Result<std::uint32_t> DevicePrograms::number_of(const DeviceCall& call) {
    const alkanes::Surroundings& around = call.frame->run.surroundings();
    const ProgramKey key = key_of(call);
    if (const auto found = programs_.find(key); found != programs_.end())
        return found->second.number;
    auto acquired = call.runtime->acquire(call.contract);
    if (!acquired) return acquired.error();
    if (const auto* refusal = std::get_if<alkanes::Runtime::Refusal>(&*acquired))
        return Error{ErrorCode::bad_input, refusal->text};
    const auto image = gpuvm::image_of(std::get<alkanes::Runtime::Machine>(*acquired).instance());
    auto number = machine_->add(
        image, device_rules(*call.contract->program->module, around.rules, around.record));
    if (!number) return number;
    programs_.emplace(key, Program{*number, call.contract});
    return number;
}

} // namespace blockloom::execute
