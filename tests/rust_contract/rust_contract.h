// The contract of this folder, compiled by the build.
#pragma once

#include "base/bytes.h"

namespace blockloom::tests {

/// The WebAssembly module; empty: rustc or its library for wasm32 is not installed. Lives as long
/// as the program.
[[nodiscard]] ByteView rust_contract() noexcept;

} // namespace blockloom::tests
