// One call at a time, on the state that an instance has: for test scripts and single calls.
#pragma once

#include "gpuvm/batch.h"
#include "gpuvm/machine.h"

#include <array>

namespace blockloom::gpuvm {

/// Takes an instance's memory, globals and tables to the device, runs a function there and brings
/// back what it changed. Memories up to 65,536 pages, the full depth and stack of calls.
class Runner {
public:
    [[nodiscard]] static Result<std::unique_ptr<Runner>> make(compute::ProviderPtr provider);

    /// As wasm::Interpreter would run it. Error `unavailable` with "ejected (CODE): …" where the
    /// device cannot: the instance is as it was then. A run that takes more than `limits.steps`
    /// ends as `paused` and cannot be resumed. Host functions are called here.
    [[nodiscard]] Result<wasm::RunResult> run(wasm::Instance& instance, std::uint32_t function,
                                              std::span<const wasm::Cell> arguments,
                                              const wasm::RunLimits& limits);

    /// By Ejection: how often.
    [[nodiscard]] const std::array<std::uint64_t, 16>& ejections() const noexcept {
        return ejections_;
    }
    /// Instructions that the device ran, and runs that ended there.
    [[nodiscard]] std::uint64_t instructions() const noexcept { return instructions_; }
    [[nodiscard]] std::uint64_t runs() const noexcept { return runs_; }

private:
    Runner() = default;
    std::unique_ptr<Machine> machine_;
    std::array<std::uint64_t, 16> ejections_{};
    std::uint64_t instructions_ = 0, runs_ = 0;
};

} // namespace blockloom::gpuvm
