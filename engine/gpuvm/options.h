// What the lanes of a machine have room for, and how they run.
#pragma once

#include "base/clock.h"

#include <cstddef>
#include <cstdint>
#include <functional>

namespace blockloom::gpuvm {

/// When a submission's parts were done, on the host's steady clock.
struct SubmissionTimes {
    Nanoseconds begin = 0, uploaded = 0, executed = 0, read = 0;
    std::uint32_t invocations = 0; ///< of the batch
};

/// What a lane has room for. Beyond: ejected with the code named in ejection.h.
struct Options {
    std::uint32_t registers = 512;    ///< cells a lane
    std::uint32_t frames = 64;        ///< a lane, the outermost included
    std::uint32_t globals = 8;        ///< cells a lane; raised by add() where a program has more
    std::uint32_t memory_pages = 664; ///< of 64 KiB: what the page tables reach
    std::uint32_t pool_pages = 16;    ///< KiB a lane of memory written, on the average over a batch
    std::uint32_t read_log = 64;      ///< entries a lane
    std::uint32_t slice = 0; ///< instructions a dispatch and wave; 0: by device (2,500 on software)
    std::uint32_t slices = 0; ///< dispatches a submission; 0: by device
    std::uint32_t variant =
        127; ///< of the kernel: bits measured against each other (docs/gpuvm.md)
    /// Waves and lanes tell when they ran (Batch::wave_times), where the device has a clock that
    /// its shaders read; by a kernel of its own.
    bool wave_times = false;
    Nanoseconds time_out = 60'000'000'000; ///< of one submission
    /// Hears of every submission, where the device has a clock; may be empty.
    std::function<void(const SubmissionTimes&)> submitted{};
    /// Runs work(0) … work(count − 1), on several threads if it likes, and returns when all are
    /// done: what the host does for each lane. Empty: one after the other.
    std::function<void(std::size_t count, const std::function<void(std::size_t)>& work)> spread{};
};

} // namespace blockloom::gpuvm
