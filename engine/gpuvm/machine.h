// The register program on a compute device (docs/gpuvm.md): programs are loaded once, invocations
// run in batches.
#pragma once

#include "compute/provider.h"
#include "gpuvm/ejection.h"
#include "gpuvm/host_rule.h"
#include "gpuvm/image.h"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace blockloom::gpuvm {

class Batch;

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

/// Kernels and programs on one device. Loading and running are for one thread at a time; several
/// machines may share a provider.
class Machine {
public:
    /// `unavailable` where the device lacks what the kernels need (64-bit integers, subgroup
    /// arithmetic, vote and ballot, subgroups of 8 to 32); errors of compute/errors.h.
    [[nodiscard]] static Result<std::unique_ptr<Machine>> make(compute::ProviderPtr provider,
                                                               const Options& options = {});
    ~Machine();

    /// Adds a program with the state that its invocations begin with, and a rule for each imported
    /// function (missing ones yield). Gives its number. Nothing is refused for what is in it; what
    /// does not fit ejects when reached. Error `gpuvm::program_full` where the joint buffer has no
    /// room left: begin a new machine.
    [[nodiscard]] Result<std::uint32_t> add(const InstanceImage& image,
                                            std::span<const HostRule> rules);

    /// Forgets all programs; their numbers are given again. No batch may hold lanes of theirs.
    void clear();

    /// An empty batch; it uses the programs that were added before its start().
    [[nodiscard]] std::unique_ptr<Batch> batch();

    /// Lanes that a batch may have with these options and what the device has now, at least one
    /// wave.
    [[nodiscard]] std::uint32_t most_lanes() const;
    [[nodiscard]] std::uint32_t wave() const noexcept; ///< lanes of a subgroup
    [[nodiscard]] std::size_t programs() const noexcept;
    /// Whether waves tell when they ran; and how long a tick of that clock is, in nanoseconds: as
    /// measured, 0 before the first submission.
    [[nodiscard]] bool tells_wave_times() const noexcept;
    [[nodiscard]] double ns_per_tick() const noexcept;
    [[nodiscard]] const Options& options() const noexcept;
    [[nodiscard]] compute::Provider& provider() const noexcept;

    struct State;

private:
    friend class Batch;
    Machine();
    std::unique_ptr<State> state_;
};

inline constexpr ErrorCode program_full{80};

} // namespace blockloom::gpuvm
