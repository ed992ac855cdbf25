// What names a program among others.
#pragma once

#include "base/bytes.h"
#include "wasm/program.h"

namespace blockloom::native {

/// SHA-256 of a program's module, and of its fuel rule if that is exact.
[[nodiscard]] Hash256 module_id(const wasm::Program& program);

} // namespace blockloom::native
