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
    programs->batch_ = programs->machine_->batch();
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
    note_code();
    std::vector<ContractCode> all;
    for (const auto& [module, code] : code_) all.push_back(code);
    return all;
}

ContractCode& DevicePrograms::code_of(const DeviceCall& call) {
    if (counted_ != call.contract || counted_id_ != call.frame->myself) {
        counted_ = call.contract;
        counted_id_ = call.frame->myself;
        counted_code_ = &code_[call.contract->hash];
        counted_code_->module = call.contract->hash;
        counted_code_->function = call.contract->execute;
        if (counted_code_->contracts.size() < ContractCode::most_contracts)
            counted_code_->contracts.insert(counted_id_);
    }
    return *counted_code_;
}

void DevicePrograms::count(const DeviceCall& call, bool on_processor) {
    ContractCode& of = code_of(call);
    ++(on_processor                         ? of.on_processor
       : engine_ == alkanes::Engine::vulkan ? of.interpreted
                                            : of.compiled);
}

void DevicePrograms::count_ejected(const DeviceCall& call, const char* code) {
    ++code_of(call).ejected[code];
}

void DevicePrograms::make_room() {
    if (machine_->programs() <= most_programs) return;
    note_code();
    machine_->clear();
    programs_.clear();
    last_key_ = {};
}

Result<std::uint32_t> DevicePrograms::number_of(const DeviceCall& call) {
    const alkanes::Surroundings& around = call.frame->run.surroundings();
    const ProgramKey key{call.contract.get(), around.rules.host_fees_deducted, around.record};
    if (key == last_key_) return last_number_; // neighbours mostly call the same
    if (const auto found = programs_.find(key); found != programs_.end()) {
        last_key_ = key;
        return last_number_ = found->second.number;
    }
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
