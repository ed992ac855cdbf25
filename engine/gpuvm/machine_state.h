// What a machine holds on its device.
#pragma once

#include "gpuvm/machine.h"
#include "gpuvm/packing.h"

namespace blockloom::gpuvm {

/// The push constants of both kernels (shaders/gpuvm_layout.glsl).
struct Push {
    std::uint32_t lanes = 0, budget = 0, table_pages = 0, pool_frames = 0, log_words = 0,
                  value_table = 0, value_mask = 0, value_count = 0, task = 0, jobs = 0;
};

struct Machine::State {
    compute::ProviderPtr provider;
    Options options;
    std::uint32_t wave = 0;
    compute::KernelPtr run, transfer;
    std::uint32_t built_globals = 0; ///< GLOBALS that `run` and `transfer` were made with
    Packing packing;

    compute::BufferPtr code, data;
    std::size_t uploaded = 0; ///< programs that are on the device

    /// Kernels for the globals that the programs have now, and the programs themselves.
    [[nodiscard]] Status make_ready();
    [[nodiscard]] Status build_kernels();
    [[nodiscard]] Status upload_programs();
    /// Submits a list and waits for it.
    [[nodiscard]] Status finish(const compute::CommandListPtr& list,
                                const std::stop_token& stop = {});

    [[nodiscard]] std::uint32_t table_pages() const noexcept { return options.memory_pages * 64; }
    [[nodiscard]] std::uint64_t frame_bytes() const noexcept {
        return std::uint64_t{wave} * small_page;
    }
    [[nodiscard]] std::uint32_t pool_frames(std::uint32_t waves) const;
};

/// `to` is a buffer of at least so many bytes afterwards; what it held is gone if it was too small.
[[nodiscard]] Status reserve(compute::Provider& provider, compute::BufferPtr& to,
                             std::uint64_t bytes, compute::BufferUse use);

} // namespace blockloom::gpuvm
