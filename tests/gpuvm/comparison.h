// Random modules on the device and on the interpreter.
#pragma once

#include "gpuvm/batch.h"
#include "gpuvm/machine.h"
#include "wasm/linked_instance.h"

#include <memory>
#include <string>
#include <vector>

namespace blockloom::tests {

/// What was compared, so that a test can see that something was.
struct ComparisonCounts {
    std::uint64_t modules = 0, calls = 0, ejected = 0, trapped = 0, out_of_fuel = 0, exhausted = 0,
                  host_calls = 0, steps = 0, compiled = 0, ejections[gpuvm::ejection_kinds] = {};
};

/// A module made twice: for the interpreter, and for what comes back from the device.
struct ComparedModule {
    GeneratedModule generated;
    LinkedInstance ours, device;
    std::uint32_t program = 0;
};

/// An invocation of both, from a fresh instance.
struct ComparedCall {
    std::size_t module = 0;
    std::uint32_t function = 0; ///< in the index space
    std::vector<wasm::Cell> arguments;
    std::uint64_t fuel = 0;
};

/// Modules of these seeds that can be instantiated, added to the machine.
[[nodiscard]] std::vector<std::unique_ptr<ComparedModule>>
modules_of(gpuvm::Machine& machine, std::uint64_t first, std::uint64_t count);

/// Runs all calls in one batch and each on the interpreter; an empty text if they agree in results,
/// traps, places, fuel, steps, memory and globals, but for what the device ejects.
[[nodiscard]] std::string difference(gpuvm::Machine& machine,
                                     std::vector<std::unique_ptr<ComparedModule>>& modules,
                                     const std::vector<ComparedCall>& calls,
                                     ComparisonCounts& counts);

} // namespace blockloom::tests
