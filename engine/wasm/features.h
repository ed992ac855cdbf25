// The supported features beyond WebAssembly 1.0, and those that a module uses.
#pragma once

#include "wasm/module.h"

#include <string>
#include <vector>

namespace blockloom::wasm {

/// The features beyond WebAssembly 1.0 that this engine claims, by the names of their proposals.
[[nodiscard]] const std::vector<std::string>& claimed_features();

/// Those that a valid module uses, in the order of `claimed_features`.
[[nodiscard]] std::vector<std::string> used_features(const Module& module);

} // namespace blockloom::wasm
