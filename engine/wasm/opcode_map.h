// Maps opcodes of the binary format to those of the register program.
#pragma once

#include "wasm/code_reader.h"
#include "wasm/opcodes.h"

#include <optional>

namespace blockloom::wasm {

/// `opcode` + `steps` in the order of opcodes.h.
[[nodiscard]] constexpr Opcode after(Opcode opcode, unsigned steps) noexcept {
    return static_cast<Opcode>(static_cast<unsigned>(opcode) + steps);
}

/// An integer operation on two operands; `rr` is the form on registers, the one after it takes a
/// constant.
struct IntegerBinary {
    Opcode rr;
    bool commutative = false;
    bool is_i64 = false;
};
[[nodiscard]] std::optional<IntegerBinary> integer_binary(CodeOpcode opcode) noexcept;

/// The equivalent comparison with swapped operands, and the inverse comparison; both take and
/// return the `…_rr` or `…_ri` form.
[[nodiscard]] Opcode with_swapped_operands(Opcode comparison) noexcept;
[[nodiscard]] Opcode inverted(Opcode comparison) noexcept;
[[nodiscard]] bool is_integer_comparison(Opcode opcode) noexcept;
/// The fused branch of a comparison.
[[nodiscard]] Opcode branch_of(Opcode comparison) noexcept;

[[nodiscard]] std::optional<Opcode> float_binary(CodeOpcode opcode) noexcept;
[[nodiscard]] std::optional<Opcode> unary(CodeOpcode opcode) noexcept;
[[nodiscard]] Opcode load_of(CodeOpcode opcode) noexcept;
[[nodiscard]] Opcode store_of(CodeOpcode opcode) noexcept;

} // namespace blockloom::wasm
