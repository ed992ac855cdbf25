#include "gpuvm/machine.h"

#include "gpuvm/batch.h"
#include "gpuvm/codes.h"
#include "gpuvm/machine_state.h"
#include "gpuvm/sums.h"
#include <shaders/gpuvm_run.comp.h>
#include <shaders/gpuvm_run_timed.comp.h>
#include <shaders/gpuvm_transfer.comp.h>

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace blockloom::gpuvm {
namespace {

constexpr std::uint32_t bindings = 10;

std::string missing_feature(const compute::Description& device) {
    const compute::Features& has = device.features;
    if (!has.int64) return "64-bit integers in shaders";
    if (!has.subgroup_arithmetic || !has.subgroup_vote || !has.subgroup_ballot)
        return "subgroup arithmetic, vote and ballot";
    const std::uint32_t size = device.limits.subgroup_size;
    if (size < 4 || size > 32) return fmt::format("subgroups of 4 to 32, found {}", size);
    if (device.limits.max_bindings < bindings) return fmt::format("{} storage buffers", bindings);
    return {};
}

} // namespace

Status reserve(compute::Provider& provider, compute::BufferPtr& to, std::uint64_t bytes,
               compute::BufferUse use) {
    bytes = std::max<std::uint64_t>(bytes, 256);
    if (to && to->bytes() >= bytes) return {};
    to.reset();
    auto made = provider.allocate(bytes, use);
    if (!made) return made.error();
    to = *std::move(made);
    return {};
}

Machine::Machine() : state_(std::make_unique<State>()) {}
Machine::~Machine() = default;

Result<std::unique_ptr<Machine>> Machine::make(compute::ProviderPtr provider,
                                               const Options& options) {
    const compute::Description& device = provider->description();
    if (const std::string lacks = missing_feature(device); !lacks.empty())
        return Error{ErrorCode::unavailable,
                     fmt::format("{}: contracts need {}", device.name, lacks)};
    std::unique_ptr<Machine> machine(new Machine);
    State& state = *machine->state_;
    state.options = options;
    state.wave = device.limits.subgroup_size;
    const bool software = device.kind == compute::DeviceKind::software;
    if (state.options.slice == 0) state.options.slice = software ? 2'500 : 200'000;
    if (state.options.slices == 0) state.options.slices = software ? 6 : 2;
    state.timed = options.wave_times && device.features.shader_device_clock &&
                  device.clock != compute::ClockSource::none &&
                  device.limits.max_bindings > bindings;
    state.provider = std::move(provider);
    if (const Status made = state.build_kernels(); !made) return made.error();
    return machine;
}

Status Machine::State::build_kernels() {
    if (run && built_globals == options.globals) return {};
    compute::KernelSource source;
    source.buffers = bindings;
    source.push_bytes = sizeof(Push);
    source.constants = {{0, wave},
                        {1, options.registers},
                        {2, options.globals},
                        {3, options.frames},
                        {4, options.variant}};
    source.name = timed ? "gpuvm_run_timed" : "gpuvm_run";
    if (timed)
        source.spirv = gpuvm_run_timed_comp_spv;
    else
        source.spirv = gpuvm_run_comp_spv;
    source.buffers = bindings + (timed ? 1 : 0);
    auto first = provider->kernel(source);
    if (!first) return first.error();
    source.buffers = bindings;
    source.name = "gpuvm_transfer";
    source.spirv = gpuvm_transfer_comp_spv;
    auto second = provider->kernel(source);
    if (!second) return second.error();
    run = *std::move(first);
    transfer = *std::move(second);
    built_globals = options.globals;
    return {};
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

Status Machine::State::make_ready() {
    if (const Status made = build_kernels(); !made) return made;
    return upload_programs();
}

Status Machine::State::upload_programs() {
    if (uploaded == packing.programs().size()) return {};
    const std::uint64_t code_bytes = packing.code().size() * sizeof(DeviceWord);
    const std::uint64_t data_bytes = packing.data().size() * sizeof(std::uint32_t);
    // Room for more, so that programs that come one by one do not allocate each time.
    if (!code || code->bytes() < code_bytes)
        if (const Status got = reserve(*provider, code, code_bytes * 2, compute::BufferUse::device);
            !got)
            return got;
    if (!data || data->bytes() < data_bytes)
        if (const Status got = reserve(*provider, data, data_bytes * 2, compute::BufferUse::device);
            !got)
            return got;
    compute::BufferPtr staging;
    if (const Status got =
            reserve(*provider, staging, code_bytes + data_bytes, compute::BufferUse::upload);
        !got)
        return got;
    std::memcpy(staging->mapped().data(), packing.code().data(), code_bytes);
    std::memcpy(staging->mapped().data() + code_bytes, packing.data().data(), data_bytes);
    auto list = provider->commands();
    if (!list) return list.error();
    (*list)->copy(staging, 0, code, 0, code_bytes);
    (*list)->copy(staging, code_bytes, data, 0, data_bytes);
    if (const Status done = finish(*list); !done) return done;
    uploaded = packing.programs().size();
    return {};
}

Status Machine::State::finish(const compute::CommandListPtr& list, const std::stop_token& stop) {
    auto ticket = provider->submit(list);
    if (!ticket) return ticket.error();
    return provider->wait(*ticket, options.time_out, stop);
}

std::uint32_t Machine::State::pool_frames(std::uint32_t waves) const {
    const std::uint64_t wanted = std::max<std::uint64_t>(std::uint64_t{waves} * options.pool_pages,
                                                         std::uint64_t{16} << 20 >> 10 >> 3);
    const std::uint64_t most = provider->description().limits.max_binding_bytes / frame_bytes();
    return static_cast<std::uint32_t>(std::min(wanted, most));
}

Status Machine::State::check(std::span<const std::uint32_t> words,
                             std::span<const std::uint32_t> sums) const {
    constexpr std::size_t grain = 16; // sums
    std::vector<Status> found((sums.size() + grain - 1) / grain);
    in_parts(sums.size(), grain, [&](std::size_t begin, std::size_t end) {
        const std::size_t first = begin * GPUVM_SUM_WORDS;
        const std::size_t last = std::min(words.size(), end * GPUVM_SUM_WORDS);
        found[begin / grain] =
            check_sums(words.subspan(first, last - first), sums.subspan(begin, end - begin), first);
    });
    for (Status& each : found)
        if (!each) return std::move(each);
    return {};
}

std::unique_ptr<Batch> Machine::batch() {
    return std::unique_ptr<Batch>(new Batch(*this));
}

std::uint32_t Machine::most_lanes() const {
    const State& state = *state_;
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
        // The pool is an average: that of the last wave need not fit whole.
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
