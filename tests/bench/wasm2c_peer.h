// The kernels through wasm2c and the C compiler: the peer of the native compiler. Memory accesses
// are checked by guard pages and a signal handler, as wasm2c does by default; calls are not
// counted.
#pragma once

#include <cstdint>
#include <string>

namespace blockloom::bench {

/// With our fuel checks (wasm_metering.h) or without. One instance each, for the life of the
/// process.
enum class Wasm2c : std::uint8_t { plain, metered };

using CompiledKernel = std::uint64_t (*)(std::uint32_t rounds);
/// Null: there is no such kernel.
[[nodiscard]] CompiledKernel compiled_kernel(Wasm2c kind, const std::string& name);

/// What the metered instance's counter has gone down by.
[[nodiscard]] std::uint64_t fuel_used_by_compiled();

} // namespace blockloom::bench
