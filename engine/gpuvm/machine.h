// The register program on a compute device (docs/gpuvm.md): programs are loaded once, invocations
// run in batches.
#pragma once

#include "compute/provider.h"
#include "gpuvm/code_facts.h"
#include "gpuvm/host_rule.h"
#include "gpuvm/image.h"
#include "gpuvm/options.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace blockloom::gpuvm {

class Batch;

/// Code that was compiled for a device, or loaded from an earlier start.
struct CompiledCode {
    std::uint32_t program = 0, function = 0;
    Nanoseconds took = 0;
    bool kept = false;            ///< its machine code was there from an earlier start
    std::uint32_t lane_bytes = 0; ///< of memory that a lane has
};

/// Programs on one device, and what runs them. Loading and running are for one thread at a time;
/// several machines may share a provider.
class Machine {
public:
    /// The interpreter kernel. `unavailable` if the device lacks what it needs (64-bit integers,
    /// subgroup arithmetic, vote and ballot, subgroups of 8 to 32); errors of compute/errors.h.
    [[nodiscard]] static Result<std::unique_ptr<Machine>> make(compute::ProviderPtr provider,
                                                               const Options& options = {});
    virtual ~Machine() = default;
    Machine() = default;
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;

    /// Adds a program with the state that its invocations start with, and a rule for each imported
    /// function (missing ones yield). Returns its number. No program is refused for its content;
    /// what the device cannot run ejects when reached. Error `gpuvm::program_full` (packing.h) if
    /// there is no room left: use a new machine.
    [[nodiscard]] virtual Result<std::uint32_t> add(const InstanceImage& image,
                                                    std::span<const HostRule> rules) = 0;

    /// Removes all programs; their numbers are reused. No batch may hold lanes that run them.
    virtual void clear() = 0;

    /// An empty batch; it uses the programs that were added before its start().
    [[nodiscard]] virtual std::unique_ptr<Batch> batch() = 0;

    /// How many batches may be between launch() and the end of advance() at once; 1: launch() does
    /// nothing. If there may be several, each may be on a thread of its own, while no program is
    /// added or removed.
    [[nodiscard]] virtual unsigned batches_at_once() const noexcept { return 1; }

    /// The most lanes of a batch with these options and the device's free memory, at least one
    /// wave.
    [[nodiscard]] virtual std::uint32_t most_lanes() const = 0;
    [[nodiscard]] virtual std::uint32_t wave() const noexcept = 0; ///< lanes of a subgroup
    [[nodiscard]] virtual std::size_t programs() const noexcept = 0;
    /// Whether waves record when they ran; and the measured length of a tick of that clock in
    /// nanoseconds, 0 before the first submission.
    [[nodiscard]] virtual bool tells_wave_times() const noexcept = 0;
    [[nodiscard]] virtual double ns_per_tick() const noexcept = 0;
    /// What was compiled for the device since the last call; nothing if it interprets.
    [[nodiscard]] virtual std::vector<CompiledCode> take_compiled() { return {}; }
    /// What there is of the programs as code for the device; nothing if it interprets. A function
    /// that no lane has run is not listed.
    [[nodiscard]] virtual std::vector<CodeFacts> code() const { return {}; }
    [[nodiscard]] virtual const Options& options() const noexcept = 0;
    [[nodiscard]] virtual compute::Provider& provider() const noexcept = 0;
};

} // namespace blockloom::gpuvm
