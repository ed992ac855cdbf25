// Bitcoin scripts as instructions: pushes and opcodes, one after the other.
#pragma once

#include "base/bytes.h"

namespace blockloom::alkanes {

namespace opcode {
inline constexpr Byte push_0 = 0x00, push_data_1 = 0x4c, push_data_2 = 0x4d, push_data_4 = 0x4e,
                      negative_1 = 0x4f, number_1 = 0x51, number_13 = 0x5d, number_16 = 0x60,
                      if_ = 0x63, end_if = 0x68, return_ = 0x6a;
} // namespace opcode

/// The most bytes of one push in an executed script.
inline constexpr std::size_t most_push = 520;

struct Instruction {
    bool push = false; ///< OP_0 is an empty push; OP_1 to OP_16 and OP_1NEGATE are opcodes
    Byte opcode = 0;
    ByteView data; ///< the data of a push
};

/// Walks through a script. Pushes need not be minimal.
class ScriptWalker {
public:
    explicit ScriptWalker(ByteView script) noexcept : script_(script) {}

    /// Reads the next instruction; false at the end, or if a push runs past it.
    [[nodiscard]] bool next(Instruction& instruction) noexcept;

    /// Whether a push ran past the end.
    [[nodiscard]] bool broken() const noexcept { return broken_; }

private:
    ByteView script_; ///< what is left
    bool broken_ = false;
};

/// Appends the shortest push of `data`: OP_0, a direct push or OP_PUSHDATA. Small numbers are
/// pushed as bytes too.
void append_push(Bytes& to, ByteView data);

/// Appends `data` in pushes of at most 520 bytes; nothing for no data.
void append_pushes(Bytes& to, ByteView data);

} // namespace blockloom::alkanes
