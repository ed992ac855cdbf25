// Large modules for the benchmark of decoding, lowering and compiling.
#pragma once

#include "wasm/module.h"

namespace blockloom::bench {

/// The module with its own functions repeated until it has at least `bytes`. The copies call the
/// first ones.
[[nodiscard]] Bytes enlarged(const wasm::Module& module, std::size_t bytes);

/// Bytes of all bodies.
[[nodiscard]] std::uint64_t code_bytes(const wasm::Module& module);

} // namespace blockloom::bench
