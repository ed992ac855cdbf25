// Instances of generated modules on our engines, with what they import.
#pragma once

#include "wasm/instance.h"
#include "wasm/module_generator.h"

#include <string>

namespace blockloom::tests {

struct LinkedInstance {
    std::shared_ptr<wasm::Instance> instance, provider; ///< null: not made
    wasm::Trap trap;     ///< where its segments or its start function trapped
    std::string refused; ///< why it could not be made otherwise

    /// "f0" … by number.
    [[nodiscard]] static std::uint32_t index_of(const GeneratedModule& module,
                                                std::size_t function) {
        return static_cast<std::uint32_t>(module.imported_functions + function);
    }
};

/// The functions of host_functions.h, as imports "host".
[[nodiscard]] wasm::Imports host_imports();

[[nodiscard]] LinkedInstance instantiate(const GeneratedModule& module,
                                         const wasm::InstanceLimits& limits,
                                         wasm::FuelRule fuel = wasm::FuelRule::counted);

} // namespace blockloom::tests
