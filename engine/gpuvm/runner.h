// Runs one call at a time on the current state of an instance: for test scripts and single calls.
#pragma once

#include "gpuvm/batch.h"
#include "gpuvm/machine.h"

#include <array>
#include <vector>

namespace blockloom::gpuvm {

/// Copies an instance's memory, globals and tables to the device, runs a function there and copies
/// the changes back. Supports memories up to 65,536 pages and the full call depth and stack.
class Runner {
public:
    /// On a machine with the options of `single_calls`.
    explicit Runner(std::unique_ptr<Machine> machine) : machine_(std::move(machine)) {}
    [[nodiscard]] static Options single_calls();

    /// Same result as wasm::Interpreter. Error `unavailable` with "ejected (CODE): …" if the device
    /// cannot run it; the instance is then unchanged. A run of more than `limits.steps` ends as
    /// `paused` and cannot be resumed. Host functions are called on the host.
    [[nodiscard]] Result<wasm::RunResult> run(wasm::Instance& instance, std::uint32_t function,
                                              std::span<const wasm::Cell> arguments,
                                              const wasm::RunLimits& limits);

    /// Counts by Ejection.
    [[nodiscard]] const std::array<std::uint64_t, ejection_kinds>& ejections() const noexcept {
        return ejections_;
    }
    /// Instructions that the device executed, and runs that finished there.
    [[nodiscard]] std::uint64_t instructions() const noexcept { return instructions_; }
    [[nodiscard]] std::uint64_t runs() const noexcept { return runs_; }
    /// Of the last run: what there is of its program as code for the device (Machine::code), and
    /// whether it finished on the processor, as lanes do that show what to compile.
    [[nodiscard]] std::vector<CodeFacts> code() const { return machine_->code(); }
    [[nodiscard]] bool was_on_processor() const noexcept { return on_processor_; }

private:
    std::unique_ptr<Machine> machine_;
    std::array<std::uint64_t, ejection_kinds> ejections_{};
    std::uint64_t instructions_ = 0, runs_ = 0;
    bool on_processor_ = false;
};

} // namespace blockloom::gpuvm
