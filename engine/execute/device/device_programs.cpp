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

void DevicePrograms::make_room() {
    if (machine_->programs() <= most_programs) return;
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
