// The request of a message: a target and its inputs (docs/alkanes-protocol.md#cellpacks).
#pragma once

#include "alkanes/ids.h"
#include "base/bytes.h"
#include "base/flat_list.h"
#include "base/result.h"

namespace blockloom::alkanes {

struct Cellpack {
    AlkaneId target;
    /// By convention the first is the opcode. Zeros that padded the message are inputs too.
    FlatList<u128> inputs;

    friend bool operator==(const Cellpack&, const Cellpack&) = default;
};

/// The cellpack of a protostone's message: LEB128 integers of all its bytes, at least two. The
/// error says which byte is wrong. Its inputs lie in `memory`, if that is given.
[[nodiscard]] Result<Cellpack> decode_cellpack(ByteView message, Arena* memory = nullptr);

/// LEB128 of target and inputs: an unpadded message that decodes to `cellpack`.
[[nodiscard]] Bytes encode_cellpack(const Cellpack& cellpack);

/// Whether it mints the reward: opcode 77 of [2, 0]. A block's reward is divided by these.
[[nodiscard]] bool is_reward_mint(const Cellpack& cellpack);

/// Whether the transaction carries the target's code: [1, 0] and [3, n].
[[nodiscard]] bool brings_code(const Cellpack& cellpack) noexcept;

} // namespace blockloom::alkanes
