// Numeric instructions on a stack of cells, written plainly from the specification.
#pragma once

#include "wasm/instance.h"

#include <vector>

namespace blockloom::plain {

/// Pops the operands and pushes the result; or the kind of trap. `opcode` is numeric: 0x45 … 0xc4
/// or 0xfc00 … 0xfc07.
[[nodiscard]] wasm::TrapKind calculate(std::uint16_t opcode, std::vector<wasm::Cell>& stack);

} // namespace blockloom::plain
