// What a function is called where it is told to somebody.
#pragma once

#include "wasm/module.h"

namespace blockloom::wasm {

/// Its name in the name section, else its first export's, else "f12".
[[nodiscard]] std::string function_name(const Module& module, std::uint32_t function);

} // namespace blockloom::wasm
