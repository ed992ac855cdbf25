// The typing rules of one function body (WebAssembly core specification, 3.3 and its appendix's
// algorithm).
#pragma once

#include "wasm/module.h"

#include <optional>
#include <vector>

namespace blockloom::wasm {

/// The most declared locals of a function. A call zeroes all of them for one unit of fuel; real
/// contracts have up to 88 (docs/alkanes-protocol.md#modules).
inline constexpr std::uint32_t most_locals = 4096;

/// The limit on values pushed or popped for lists of types (of blocks, branches and calls) in all
/// bodies of a module together: an instruction of two bytes may refer to a thousand.
[[nodiscard]] constexpr std::uint64_t most_listed_values(std::size_t module_bytes) noexcept {
    return 1024 * 1024 + 16 * std::uint64_t{module_bytes};
}

/// Shared by all bodies of a module. `referenced`: functions that `ref.func` may name.
struct BodyContext {
    const Module& module;
    std::vector<bool> referenced;
    std::uint64_t listed_values = 0; ///< so far
};

/// Linear in the body and in the values pushed and popped for its lists of types.
[[nodiscard]] std::optional<ModuleError> validate_body(BodyContext& context,
                                                       std::uint32_t function);

} // namespace blockloom::wasm
