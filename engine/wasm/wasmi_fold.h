// Constant folding as wasmi does it during translation: instructions whose operands are all
// constants.
#pragma once

#include "wasm/code_reader.h"

#include <optional>

namespace blockloom::wasm::wasmi {

/// The result's cell, or nothing if the instruction traps.
struct Folded {
    bool known = false; ///< false: not a numeric instruction of that arity
    std::optional<Cell> cell;
};

[[nodiscard]] Folded fold(CodeOpcode opcode, Cell operand);
[[nodiscard]] Folded fold(CodeOpcode opcode, Cell left, Cell right);

} // namespace blockloom::wasm::wasmi
