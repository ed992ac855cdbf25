#include "gpuvm/machine_state.h"

#include "gpuvm/checksums.h"
#include "gpuvm/codes.h"
#include <shaders/gpuvm_run.comp.h>
#include <shaders/gpuvm_run_timed.comp.h>
#include <shaders/gpuvm_transfer.comp.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace blockloom::gpuvm {

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

Status reserve_rounded(compute::Provider& provider, compute::BufferPtr& to, std::uint64_t bytes,
                       compute::BufferUse use) {
    constexpr std::uint64_t least = 256 << 10U, most = 16 << 20U;
    if (to && to->bytes() >= bytes) return {};
    return reserve(provider, to, bytes > most ? bytes : std::bit_ceil(std::max(bytes, least)), use);
}

Status MachineState::build_kernels() {
    if (run && built_globals == options.globals) return {};
    compute::KernelSource source;
    source.buffers = kernel_bindings;
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
    source.buffers = kernel_bindings + (timed ? 1 : 0);
    auto first = provider->kernel(source);
    if (!first) return first.error();
    source.buffers = kernel_bindings;
    source.name = "gpuvm_transfer";
    source.spirv = gpuvm_transfer_comp_spv;
    auto second = provider->kernel(source);
    if (!second) return second.error();
    run = *std::move(first);
    transfer = *std::move(second);
    built_globals = options.globals;
    return {};
}

Status MachineState::make_ready() {
    if (const Status made = build_kernels(); !made) return made;
    return upload_programs();
}

Status MachineState::upload_programs() {
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

Status MachineState::finish(const compute::CommandListPtr& list, const std::stop_token& stop,
                            const std::function<void()>& launched) {
    auto ticket = provider->submit(list);
    if (!ticket) return ticket.error();
    if (launched) launched();
    return provider->wait(*ticket, options.time_out, stop);
}

std::uint32_t MachineState::pool_frames(std::uint32_t waves) const {
    const std::uint64_t wanted = std::max<std::uint64_t>(std::uint64_t{waves} * options.pool_pages,
                                                         std::uint64_t{16} << 20 >> 10 >> 3);
    const std::uint64_t most = provider->description().limits.max_binding_bytes / frame_bytes();
    return static_cast<std::uint32_t>(std::min(wanted, most));
}

Status MachineState::check(std::span<const std::uint32_t> words,
                           std::span<const std::uint32_t> checksums) const {
    constexpr std::size_t grain = 16; // checksums
    std::vector<Status> found((checksums.size() + grain - 1) / grain);
    in_parts(checksums.size(), grain, [&](std::size_t begin, std::size_t end) {
        const std::size_t first = begin * GPUVM_SUM_WORDS;
        const std::size_t last = std::min(words.size(), end * GPUVM_SUM_WORDS);
        found[begin / grain] = verify_checksums(words.subspan(first, last - first),
                                                checksums.subspan(begin, end - begin), first);
    });
    for (Status& each : found)
        if (!each) return std::move(each);
    return {};
}

} // namespace blockloom::gpuvm
