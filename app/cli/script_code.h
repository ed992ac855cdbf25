// What a device ran of a test script's modules, and what was compiled of them for it.
#pragma once

#include "execute/contract_code.h"
#include "gpuvm/runner.h"

#include <map>
#include <utility>
#include <vector>

namespace blockloom::cli {

/// Runs the calls of a script and counts them, as the device's part of a replay counts its own.
class ScriptCode {
public:
    /// On a machine with the options of Runner::single_calls. `compiles`: it does not interpret.
    ScriptCode(std::unique_ptr<gpuvm::Machine> machine, bool compiles)
        : runner_(std::move(machine)), compiles_(compiles) {}

    /// As gpuvm::Runner::run.
    [[nodiscard]] Result<wasm::RunResult> run(wasm::Instance& instance, std::uint32_t function,
                                              std::span<const wasm::Cell> arguments,
                                              const wasm::RunLimits& limits);

    /// One for each function that was called; no contract has its code.
    [[nodiscard]] std::vector<execute::ContractCode> all() const;

private:
    execute::ContractCode& code_of(const wasm::Instance& instance, std::uint32_t function);

    gpuvm::Runner runner_;
    bool compiles_;
    std::map<const wasm::Program*, Hash256> modules_; ///< a script keeps its modules
    std::map<std::pair<const wasm::Program*, std::uint32_t>, execute::ContractCode> code_;
    std::vector<std::pair<const wasm::Program*, std::uint32_t>> order_; ///< as first called
};

} // namespace blockloom::cli
