// Instantiation (WebAssembly core specification, 4.5.4).
#pragma once

#include "wasm/instance.h"

namespace blockloom::wasm {

/// Links the program, fills its tables and memory, and runs its start function.
[[nodiscard]] Instantiated instantiate(std::shared_ptr<const Program> program,
                                       const Imports& imports, const InstanceLimits& limits = {});

} // namespace blockloom::wasm
