// The register program on a compute device (docs/gpuvm.md): programs are loaded once, invocations
// run in batches.
#pragma once

#include "compute/provider.h"
#include "gpuvm/host_rule.h"
#include "gpuvm/image.h"
#include "gpuvm/options.h"

#include <memory>
#include <span>

namespace blockloom::gpuvm {

class Batch;
struct MachineState;

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
    /// does not fit ejects when reached. Error `gpuvm::program_full` (packing.h) where the joint
    /// buffer has no room left: begin a new machine.
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

private:
    Machine();
    std::unique_ptr<MachineState> state_;
};

} // namespace blockloom::gpuvm
