#include "gpuvm/machine.h"

#include "gpuvm/codes.h"
#include "gpuvm/kernel_batch.h"
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

class KernelMachine final : public Machine {
public:
    [[nodiscard]] Result<std::uint32_t> add(const InstanceImage& image,
                                            std::span<const HostRule> rules) override;
    void clear() override;
    [[nodiscard]] std::unique_ptr<Batch> batch() override;
    [[nodiscard]] std::uint32_t most_lanes() const override;
    [[nodiscard]] std::uint32_t wave() const noexcept override { return state.wave; }
    [[nodiscard]] std::size_t programs() const noexcept override {
        return state.packing.programs().size();
    }
    [[nodiscard]] bool tells_wave_times() const noexcept override { return state.timed; }
    [[nodiscard]] double ns_per_tick() const noexcept override { return state.clock.ns_per_tick(); }
    [[nodiscard]] const Options& options() const noexcept override { return state.options; }
    [[nodiscard]] compute::Provider& provider() const noexcept override { return *state.provider; }

    MachineState state;
};

Result<std::uint32_t> KernelMachine::add(const InstanceImage& image,
                                         std::span<const HostRule> rules) {
    auto added = state.packing.add(image, rules);
    if (!added) return added;
    const auto globals = static_cast<std::uint32_t>(image.globals.size());
    if (globals > state.options.globals) state.options.globals = (globals + 15) / 16 * 16;
    return added;
}

void KernelMachine::clear() {
    state.packing = {};
    state.uploaded = 0;
}

std::unique_ptr<Batch> KernelMachine::batch() {
    return std::make_unique<KernelBatch>(state);
}

std::uint32_t KernelMachine::most_lanes() const {
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

} // namespace

Result<std::unique_ptr<Machine>> Machine::make(compute::ProviderPtr provider,
                                               const Options& options) {
    const compute::Description& device = provider->description();
    if (const std::string lacks = missing_feature(device); !lacks.empty())
        return Error{ErrorCode::unavailable,
                     fmt::format("{}: contracts require {}", device.name, lacks)};
    auto machine = std::make_unique<KernelMachine>();
    MachineState& state = machine->state;
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
    return std::unique_ptr<Machine>(std::move(machine));
}

} // namespace blockloom::gpuvm
