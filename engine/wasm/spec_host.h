#pragma once

#include "wasm/instance.h"

namespace blockloom::wasm {

/// print*, global_*, table (10 to 20 elements) and memory (1 to 2 pages) under "spectest". Fails if
/// the system has no address space left.
[[nodiscard]] Result<Imports> spectest_module();

} // namespace blockloom::wasm
