// The data of a machine on its device.
#pragma once

#include "compute/provider.h"
#include "gpuvm/options.h"
#include "gpuvm/packing.h"
#include "gpuvm/wave_clock.h"

#include <algorithm>
#include <cstring>

namespace blockloom::gpuvm {

/// The push constants of both kernels (shaders/gpuvm_layout.glsl).
struct Push {
    std::uint32_t lanes = 0, budget = 0, table_pages = 0, pool_frames = 0, log_words = 0,
                  value_table = 0, value_mask = 0, value_count = 0, task = 0, jobs = 0;
};

/// Storage buffers of the kernels.
inline constexpr std::uint32_t kernel_bindings = 10;

struct MachineState {
    compute::ProviderPtr provider;
    Options options;
    std::uint32_t wave = 0;
    bool timed = false; ///< waves record when they ran
    WaveClock clock;
    compute::KernelPtr run, transfer;
    std::uint32_t built_globals = 0; ///< GLOBALS with which `run` and `transfer` were compiled
    Packing packing;

    compute::BufferPtr code, data;
    std::size_t uploaded = 0; ///< programs that are on the device

    /// Prepares kernels for the globals that the programs now have, and uploads the programs.
    [[nodiscard]] Status make_ready();
    [[nodiscard]] Status build_kernels();
    [[nodiscard]] Status upload_programs();
    /// Submits a list and waits for it.
    [[nodiscard]] Status finish(const compute::CommandListPtr& list,
                                const std::stop_token& stop = {},
                                const std::function<void()>& launched = {});

    /// Calls work(begin, end) for parts of [0, count), which threads may share.
    template <typename Work>
    void in_parts(std::size_t count, std::size_t grain, const Work& work) const {
        const std::size_t parts = (count + grain - 1) / grain;
        const auto part = [&](std::size_t i) { work(i * grain, std::min(count, (i + 1) * grain)); };
        if (options.spread && parts > 1) return options.spread(parts, part);
        for (std::size_t i = 0; i < parts; ++i) part(i);
    }
    /// Like memcpy.
    void copy(void* to, const void* from, std::size_t bytes) const {
        in_parts(bytes, std::size_t{1} << 20, [&](std::size_t begin, std::size_t end) {
            std::memcpy(static_cast<std::byte*>(to) + begin,
                        static_cast<const std::byte*>(from) + begin, end - begin);
        });
    }

    [[nodiscard]] std::uint32_t table_pages() const noexcept { return options.memory_pages * 64; }
    [[nodiscard]] std::uint64_t frame_bytes() const noexcept {
        return std::uint64_t{wave} * small_page;
    }
    [[nodiscard]] std::uint32_t pool_frames(std::uint32_t waves) const;
    /// verify_checksums of many words.
    [[nodiscard]] Status check(std::span<const std::uint32_t> words,
                               std::span<const std::uint32_t> checksums) const;
};

/// Makes `to` a buffer of at least `bytes` bytes; its content is lost if it was too small.
[[nodiscard]] Status reserve(compute::Provider& provider, compute::BufferPtr& to,
                             std::uint64_t bytes, compute::BufferUse use);
/// The same in one of few sizes, where needs differ each time: what another gave back is found
/// again. New memory may have to wait for everything that runs on the device.
[[nodiscard]] Status reserve_rounded(compute::Provider& provider, compute::BufferPtr& to,
                                     std::uint64_t bytes, compute::BufferUse use);

} // namespace blockloom::gpuvm
