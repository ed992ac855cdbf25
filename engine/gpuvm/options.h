// The limits of a machine's lanes, and how they run.
#pragma once

#include "base/clock.h"

#include <cstddef>
#include <cstdint>
#include <functional>

namespace blockloom::gpuvm {

/// What a submission runs.
enum class Lanes : std::uint8_t {
    interpreted, ///< a few slices of the interpreter's kernel
    compiled,    ///< compiled lanes, each to its next stop
    profiled,    ///< the same on the processor, to show what a device's code needs
};

/// The number of a submission that nobody numbers.
inline constexpr std::uint32_t no_submission = 0xffff'ffff;

/// When the parts of a submission finished, on the host's steady clock.
struct SubmissionTimes {
    Nanoseconds begin = 0, uploaded = 0, executed = 0, read = 0;
    std::uint32_t invocations = 0; ///< of the batch; of compiled lanes: that it runs
    Lanes lanes = Lanes::interpreted;
    std::uint32_t number = no_submission; ///< as Options::launched returned it
};

/// The limits of a lane. A lane that exceeds them is ejected with the code named in ejection.h.
struct Options {
    std::uint32_t registers = 512;    ///< cells per lane
    std::uint32_t frames = 64;        ///< per lane, including the outermost
    std::uint32_t globals = 8;        ///< cells per lane; raised by add() if a program has more
    std::uint32_t memory_pages = 664; ///< of 64 KiB: the size that the page tables cover
    std::uint32_t pool_pages = 16;    ///< KiB of written memory per lane, on average over a batch
    std::uint32_t read_log = 64;      ///< entries per lane
    /// Compiled code runs again from its beginning after a host call, with the host's answers so
    /// far; a lane with more of them is ejected.
    std::uint32_t tapes = 3;
    /// Compiled code keeps the memory of lanes that returned, for read_pages and load_memories;
    /// else only the bytes at their first result (Batch::read_kept).
    bool keep_memories = true;
    /// A batch waits until its programs are compiled for the device; else lanes of a program that
    /// is not are ejected, but for some that show which memory it uses.
    bool wait_for_code = false;
    std::uint32_t slice =
        0; ///< instructions per dispatch and wave; 0: by device (2,500 on software)
    std::uint32_t slices = 0; ///< dispatches per submission; 0: by device
    std::uint32_t variant =
        127; ///< of the kernel: bits that were compared by measurement (docs/gpuvm.md)
    /// Waves and lanes record when they ran (Batch::wave_times), if the device has a clock that
    /// shaders can read; uses a separate kernel.
    bool wave_times = false;
    Nanoseconds time_out = 60'000'000'000; ///< of one submission
    /// Called when a submission goes to the device, with its invocations; returns its number. May
    /// be empty.
    std::function<std::uint32_t(std::uint32_t)> launched{};
    /// Called after every submission, if the device has a clock; may be empty.
    std::function<void(const SubmissionTimes&)> submitted{};
    /// Runs work(0) … work(count − 1), possibly on several threads, and returns when all are done:
    /// for the host's work on each lane. Empty: one after the other.
    std::function<void(std::size_t count, const std::function<void(std::size_t)>& work)> spread{};
};

} // namespace blockloom::gpuvm
