// Random valid modules for differential tests.
#pragma once

#include "base/bytes.h"
#include "wasm/types.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace blockloom::tests {

struct GeneratorOptions {
    /// Functions of "host" (host_functions.h) and, often, of a second module "provider" with its
    /// memory, table and globals.
    bool linked = false;
    /// Loops without end and calls of any function: out of fuel and out of stack.
    bool endless = false;
    /// Results depend on the bits of NaNs: for engines that make them canonical only.
    bool nan_bits = false;
    /// Numbers are integers, and few instructions change tables: for engines that take no others.
    bool integers = false;
};

struct GeneratedModule {
    Bytes bytes;
    /// Own functions, exported as "f0", "f1" …; their indices begin at `imported_functions`.
    std::vector<wasm::FunctionType> functions;
    std::size_t imported_functions = 0;
    std::size_t globals = 0; ///< of the index space: imported ones first
    bool has_start = false;
    /// Imported from as "provider"; null: nothing is.
    std::shared_ptr<const GeneratedModule> provider;
};

/// Functions with structured control, branches with values, br_table, multi-value blocks, deep
/// recursion, locals, globals, a memory of 1 to 3 pages with bulk instructions, one or two tables
/// with theirs, direct and indirect calls, sometimes a start function. The same seed and options
/// give the same module. Without `nan_bits` no result depends on the bits of a NaN.
[[nodiscard]] GeneratedModule generate_module(std::uint64_t seed,
                                              const GeneratorOptions& options = {});

/// The same, with a fuzzer's bytes as the first choices: near inputs give near modules.
[[nodiscard]] GeneratedModule generate_module_from(ByteView choices,
                                                   const GeneratorOptions& options);

/// A value's cell, often an interesting one.
[[nodiscard]] wasm::Cell interesting_cell(wasm::ValueType type, std::uint64_t random);

} // namespace blockloom::tests
