// Modules written as text.
#pragma once

#include "wasm/instance.h"

#include <string>

namespace blockloom::tests {

/// Whether wabt's wat2wasm is installed.
[[nodiscard]] bool can_assemble();

/// An instance of a module in WebAssembly's text format; imported functions are there and do
/// nothing. Aborts the test program where the text is wrong.
[[nodiscard]] std::shared_ptr<wasm::Instance> instance_of(const std::string& text);

/// An exported function's index.
[[nodiscard]] std::uint32_t function_of(const wasm::Instance& instance, const std::string& name);

} // namespace blockloom::tests
