// How instructions of the register program affect memory and addresses.
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

/// The register that the instruction writes. Calls write several and are not covered here.
[[nodiscard]] std::optional<std::uint32_t> written_by(const wasm::Instruction& i);

/// The constant that an i32 addition or subtraction adds to register b, modulo 2^32.
[[nodiscard]] std::optional<std::uint32_t> added_by(const wasm::Instruction& i);

/// True if the next instruction follows in the same block and nothing observes memory in between:
/// no branch, no call, no instruction that works on ranges or grows something.
[[nodiscard]] bool goes_straight_on(const wasm::Instruction& i);

/// True if it traps for some operands, apart from memory accesses.
[[nodiscard]] bool computes_with_traps(const wasm::Instruction& i);

} // namespace blockloom::native
