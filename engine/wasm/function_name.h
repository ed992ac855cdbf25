// The name by which a function is shown.
#pragma once

#include "wasm/module.h"

namespace blockloom::wasm {

/// Its name in the name section, else its first export's, else "f12".
[[nodiscard]] std::string function_name(const Module& module, std::uint32_t function);

} // namespace blockloom::wasm
