// Random valid modules for differential tests: every one of them ends, and no result depends on
// the bits of a NaN.
#pragma once

#include "base/bytes.h"
#include "wasm/types.h"

#include <cstdint>
#include <vector>

namespace blockloom::tests {

struct GeneratedModule {
    Bytes bytes;
    std::vector<wasm::FunctionType> functions; ///< exported as "f0", "f1" …
    std::size_t globals = 0;
};

/// Functions with structured control, branches with values, br_table, multi-value blocks, locals,
/// globals, memory of 1 to 3 pages, bulk memory, calls and indirect calls. The same seed gives the
/// same module.
[[nodiscard]] GeneratedModule generate_module(std::uint64_t seed);

/// A value's cell, often an interesting one.
[[nodiscard]] wasm::Cell interesting_cell(wasm::ValueType type, std::uint64_t random);

} // namespace blockloom::tests
