#include "gpuvm/machine.h"

#include "gpuvm/batch.h"
#include "gpuvm/codes.h"
#include "gpuvm/machine_state.h"

#include <algorithm>
#include <fmt/format.h>

namespace blockloom::gpuvm {
namespace {

std::string missing_feature(const compute::Description& device) {
    const compute::Features& has = device.features;
    if (!has.int64) return "64-bit integers in shaders";
    if (!has.subgroup_arithmetic || !has.subgroup_vote || !has.subgroup_ballot)
        return "subgroup arithmetic, vote and ballot";
    const std::uint32_t size = device.limits.subgroup_size;
    if (size < 4 || size > 32) return fmt::format("subgroups of 4 to 32, found {}", size);
    if (device.limits.max_bindings < kernel_bindings)
        return fmt::format("{} storage buffers", kernel_bindings);
    return {};
}

} // namespace

Machine::Machine() : state_(std::make_unique<MachineState>()) {}
Machine::~Machine() = default;

Result<std::unique_ptr<Machine>> Machine::make(compute::ProviderPtr provider,
                                               const Options& options) {
    const compute::Description& device = provider->description();
    if (const std::string lacks = missing_feature(device); !lacks.empty())
        return Error{ErrorCode::unavailable,
                     fmt::format("{}: contracts require {}", device.name, lacks)};
    std::unique_ptr<Machine> machine(new Machine);
    MachineState& state = *machine->state_;
    state.options = options;
    state.wave = device.limits.subgroup_size;
    const bool software = device.kind == compute::DeviceKind::software;
    if (state.options.slice == 0) state.options.slice = software ? 2'500 : 200'000;
    if (state.options.slices == 0) state.options.slices = software ? 6 : 2;
    state.timed = options.wave_times && device.features.shader_device_clock &&
                  device.clock != compute::ClockSource::none &&
                  device.limits.max_bindings > kernel_bindings;
    state.provider = std::move(provider);
    if (const Status made = state.build_kernels(); !made) return made.error();
    return machine;
}

Result<std::uint32_t> Machine::add(const InstanceImage& image, std::span<const HostRule> rules) {
    auto added = state_->packing.add(image, rules);
    if (!added) return added;
    const auto globals = static_cast<std::uint32_t>(image.globals.size());
    if (globals > state_->options.globals) state_->options.globals = (globals + 15) / 16 * 16;
    return added;
}

void Machine::clear() {
    state_->packing = {};
    state_->uploaded = 0;
}

std::unique_ptr<Batch> Machine::batch() {
    return std::unique_ptr<Batch>(new Batch(*state_));
}

std::uint32_t Machine::most_lanes() const {
    const MachineState& state = *state_;
    const Options& options = state.options;
    const compute::Description& device = state.provider->description();
    const std::uint64_t wave = state.wave;
    const std::uint64_t parts[] = {(std::uint64_t{options.registers} + options.globals) * 8 * wave,
                                   std::uint64_t{options.frames} * 8 * wave,
                                   std::uint64_t{state.table_pages()} * 4,
                                   options.pool_pages * state.frame_bytes()};
    std::uint64_t sum =
        (GPUVM_STATE_WORDS + 2 * GPUVM_EXCHANGE_CELLS + options.read_log) * 4 * wave * 2;
    std::uint64_t waves = ~std::uint64_t{0};
    for (const std::uint64_t part : parts) {
        sum += part;
        // The pool is an average: the last wave's pages need not all fit.
        const std::uint64_t short_of = part == parts[3] ? part - 1 : 0;
        waves = std::min(waves, (device.limits.max_binding_bytes + short_of) / part);
    }
    const compute::MemoryUse memory = state.provider->memory();
    const std::uint64_t budget = memory.budget != 0 ? memory.budget : device.memory_bytes;
    const std::uint64_t room = budget > memory.in_use ? budget - memory.in_use : 0;
    waves = std::min({waves, room / 4 * 3 / sum, std::uint64_t{device.limits.max_groups},
                      (std::uint64_t{1} << 22) / wave});
    return static_cast<std::uint32_t>(std::max<std::uint64_t>(waves, 1) * wave);
}

std::uint32_t Machine::wave() const noexcept {
    return state_->wave;
}
std::size_t Machine::programs() const noexcept {
    return state_->packing.programs().size();
}
bool Machine::tells_wave_times() const noexcept {
    return state_->timed;
}
double Machine::ns_per_tick() const noexcept {
    return state_->clock.ns_per_tick();
}
const Options& Machine::options() const noexcept {
    return state_->options;
}
compute::Provider& Machine::provider() const noexcept {
    return *state_->provider;
}

} // namespace blockloom::gpuvm
