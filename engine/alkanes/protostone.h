// Protostones: the records in a runestone's protocol field (docs/alkanes-protocol.md#protostones).
#pragma once

#include "alkanes/ids.h"
#include "base/bytes.h"
#include "base/flat_list.h"
#include "base/result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace blockloom::alkanes {

/// The protocol tag of Alkanes: only its messages run.
inline constexpr u128 alkanes_protocol = 1;

struct Edict {
    AlkaneId id;
    u128 amount = 0; ///< 0: everything
    u128 output = 0; ///< as written: may be beyond every output

    friend bool operator==(const Edict&, const Edict&) = default;
};

struct Protostone {
    u128 protocol = 0; ///< the tag, never 0
    std::optional<u128> burn;
    std::optional<std::uint32_t> pointer, refund, from; ///< low 32 bits of the written value
    FlatList<Byte> message; ///< calldata: a multiple of 15 bytes, padded with zeros
    /// Also empty if the written ones are not a multiple of four integers, or overflow.
    FlatList<Edict> edicts;

    [[nodiscard]] bool is_message() const noexcept { return !message.empty(); }

    friend bool operator==(const Protostone&, const Protostone&) = default;
};

/// Decodes the protostones in the values of tag 16383: 15 bytes of each, concatenated, are LEB128
/// integers. An error says what is wrong and voids the whole transaction (its inputs are spent all
/// the same).
[[nodiscard]] Result<std::vector<Protostone>> decode_protostones(std::span<const u128> protocol);
/// The same into a vector that is used again; the lists of the protostones lie in `memory`.
Status decode_protostones(std::span<const u128> protocol, Arena& memory,
                          std::vector<Protostone>& stones);

/// Values of tag 16383 that decode to `protostones`, provided that messages are padded to 15 bytes
/// and edicts sorted by id (they are sorted here, because deltas cannot be negative).
[[nodiscard]] std::vector<u128> encode_protostones(std::span<const Protostone> protostones);

} // namespace blockloom::alkanes
