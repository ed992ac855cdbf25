// Machine code that was compiled by an earlier start (docs/native.md#kept-code).
#pragma once

#include "native/code.h"
#include "native/code_store.h"

#include <memory>
#include <string>

namespace blockloom::native {

/// Where this process keeps machine code; null, as it is at first: nowhere. Call it before anything
/// is compiled; what is being compiled keeps the store that it began with.
void keep_code_in(std::shared_ptr<CodeStore> store) noexcept;
[[nodiscard]] std::shared_ptr<CodeStore> code_kept_in() noexcept;

/// What machine code depends on besides its program: code of another one is not used.
struct CodeMaker {
    std::string generator; ///< hash of the sources that lower and translate
    std::string llvm;      ///< its version
    std::string triple, processor, features;
};
/// This build on this machine.
[[nodiscard]] const CodeMaker& code_maker();

/// The key of an entry: the SHA-256 of everything that determines the machine code.
[[nodiscard]] Hash256 code_key(const CodeMaker& maker, const wasm::Program& program, Tier tier);

/// The code of a program in this tier, from the store of this process; null: it is not kept.
/// Compiles nothing.
[[nodiscard]] std::shared_ptr<const NativeCode>
load_kept_code(const std::shared_ptr<const wasm::Program>& program, Tier tier);

/// What this process has done so far: modules in a tier.
struct CodeCounts {
    std::uint64_t compiled = 0; ///< by LLVM
    std::uint64_t loaded = 0;   ///< from a store, linked
    std::uint64_t kept = 0;     ///< put into a store
};
[[nodiscard]] CodeCounts code_counts() noexcept;

} // namespace blockloom::native
