// One instruction of a body at a time, with its immediates: shared by the validator and the
// lowering.
#pragma once

#include "wasm/binary_reader.h"

#include <vector>

namespace blockloom::wasm {

/// Opcodes as in the binary format; those with the prefix 0xfc are 0xfc00 + their number.
using CodeOpcode = std::uint16_t;

/// A block's type: nothing, one result, or a type's index.
struct BlockType {
    enum class Kind : std::uint8_t { empty, value, index } kind = Kind::empty;
    ValueType value = ValueType::i32;
    std::uint32_t index = 0;
};

struct CodeInstruction {
    CodeOpcode opcode = 0;
    std::uint32_t offset = 0; ///< of the opcode in the module
    std::uint32_t index = 0,
                  index2 =
                      0; ///< label, function, local, global, type and table, segment and table …
    std::uint32_t align = 0;         ///< memory access: exponent; `value` is its offset
    std::uint64_t value = 0;         ///< constant's cell
    ValueType type = ValueType::i32; ///< ref.null, select t
    BlockType block;
    std::vector<std::uint32_t> labels; ///< br_table, the default last
    std::uint32_t types = 0;           ///< select t: the number of types given (only one is valid)
};

/// Reads the next instruction into `to` (whose vector is reused). False: `in` failed; unknown
/// opcodes are malformed.
[[nodiscard]] bool read_instruction(BinaryReader& in, CodeInstruction& to);

/// The signature of plain numeric instructions, loads and stores; empty for all others.
struct Signature {
    std::uint8_t operands = 0;
    ValueType operand = ValueType::i32, second = ValueType::i32;
    bool has_result = false;
    ValueType result = ValueType::i32;
    std::uint8_t access = 0; ///< bytes a load or store moves; 0: none
    bool known = false;
};
[[nodiscard]] const Signature& signature_of(CodeOpcode opcode) noexcept;

} // namespace blockloom::wasm
