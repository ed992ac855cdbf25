// The typing rules of one function body (WebAssembly core specification, 3.3 and its appendix's
// algorithm).
#pragma once

#include "wasm/module.h"

#include <optional>
#include <vector>

namespace blockloom::wasm {

/// What all bodies of a module share: looked up once. `referenced`: functions that `ref.func` may
/// name.
struct BodyContext {
    const Module& module;
    std::vector<bool> referenced;
};

/// Linear in the body, but for br_table, which checks each label's types.
[[nodiscard]] std::optional<ModuleError> validate_body(const BodyContext& context,
                                                       std::uint32_t function);

} // namespace blockloom::wasm
