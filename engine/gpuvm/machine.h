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
    /// `unavailable` if the device lacks what the kernels need (64-bit integers, subgroup
    /// arithmetic, vote and ballot, subgroups of 8 to 32); errors of compute/errors.h.
    [[nodiscard]] static Result<std::unique_ptr<Machine>> make(compute::ProviderPtr provider,
                                                               const Options& options = {});
    ~Machine();

    /// Adds a program with the state that its invocations start with, and a rule for each imported
    /// function (missing ones yield). Returns its number. No program is refused for its content;
    /// what the device cannot run ejects when reached. Error `gpuvm::program_full` (packing.h) if
    /// the shared buffer has no room left: use a new machine.
    [[nodiscard]] Result<std::uint32_t> add(const InstanceImage& image,
                                            std::span<const HostRule> rules);

    /// Removes all programs; their numbers are reused. No batch may hold lanes that run them.
    void clear();

    /// An empty batch; it uses the programs that were added before its start().
    [[nodiscard]] std::unique_ptr<Batch> batch();

    /// The most lanes of a batch with these options and the device's free memory, at least one
    /// wave.
    [[nodiscard]] std::uint32_t most_lanes() const;
    [[nodiscard]] std::uint32_t wave() const noexcept; ///< lanes of a subgroup
    [[nodiscard]] std::size_t programs() const noexcept;
    /// Whether waves record when they ran; and the measured length of a tick of that clock in
    /// nanoseconds, 0 before the first submission.
    [[nodiscard]] bool tells_wave_times() const noexcept;
    [[nodiscard]] double ns_per_tick() const noexcept;
    [[nodiscard]] const Options& options() const noexcept;
    [[nodiscard]] compute::Provider& provider() const noexcept;

private:
    Machine();
    std::unique_ptr<MachineState> state_;
};

} // namespace blockloom::gpuvm
