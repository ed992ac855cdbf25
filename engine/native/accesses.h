// What instructions of the register program do to memory and to addresses.
#pragma once

#include "wasm/program.h"

#include <cstdint>
#include <optional>

namespace blockloom::native {

/// A load or a store of `bytes` bytes at register `base` plus `offset`.
struct Access {
    std::uint32_t base = 0, bytes = 0;
    std::int64_t offset = 0;
    bool store = false;
};

[[nodiscard]] std::optional<Access> access_of(const wasm::Instruction& i);

/// The register that the instruction writes. Calls write several: not told here.
[[nodiscard]] std::optional<std::uint32_t> written_by(const wasm::Instruction& i);

/// What an i32 addition or subtraction of a constant adds to register b, modulo 2^32.
[[nodiscard]] std::optional<std::uint32_t> added_by(const wasm::Instruction& i);

/// The next instruction follows, in the same block, and nobody looks at memory in between: no
/// branch, no call, no instruction that works on ranges or grows something.
[[nodiscard]] bool goes_straight_on(const wasm::Instruction& i);

/// Traps for some operands, accesses aside.
[[nodiscard]] bool computes_with_traps(const wasm::Instruction& i);

} // namespace blockloom::native
