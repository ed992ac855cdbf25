// How the compiler hands machine code to the store of this process.
#pragma once

#include "native/linking.h"

#include <span>

namespace blockloom::native {

/// Counts a module in a tier that LLVM compiled.
void count_compiled() noexcept;

/// Puts the objects of a program into the store of this process, if it has one. What cannot be kept
/// is only compiled again.
void keep_code(const wasm::Program& program, Tier tier, std::span<const Object> objects);

} // namespace blockloom::native
