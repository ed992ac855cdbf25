// Runestones: the integers in the first OP_RETURN OP_13 output of a transaction
// (docs/alkanes-protocol.md#runestones).
#pragma once

#include "base/bytes.h"
#include "base/flat_list.h"
#include "base/u128.h"
#include "chain/block.h"

#include <compare>
#include <cstdint>
#include <optional>

namespace blockloom::alkanes {

/// What makes a runestone a cenotaph. If several apply, the first in the order of the checks
/// counts: script, varints, body and fields in order, supply, flags, even tags.
enum class Flaw : std::uint8_t {
    opcode,                ///< a non-push opcode after OP_13
    invalid_script,        ///< a push that runs over the script's end
    varint,                ///< an integer that is truncated, too long or too large
    trailing_integers,     ///< the body is not a multiple of four integers
    edict_rune_id,         ///< block 0 with tx > 0, or beyond u64 and u32
    edict_output,          ///< above the number of outputs
    truncated_field,       ///< a tag without a value
    supply_overflow,       ///< premine + cap × amount beyond 128 bits
    unrecognized_flag,     ///< an unknown flag
    unrecognized_even_tag, ///< an unknown even tag, or one with values left over
};

/// The flaw's name in texts and JSON: "edict_output".
[[nodiscard]] const char* flaw_name(Flaw flaw) noexcept;

struct RuneId {
    std::uint64_t block = 0;
    std::uint32_t tx = 0;

    friend bool operator==(const RuneId&, const RuneId&) = default;
    friend auto operator<=>(const RuneId&, const RuneId&) = default;
};

struct RuneEdict {
    RuneId id;
    u128 amount = 0;
    std::uint32_t output = 0;

    friend bool operator==(const RuneEdict&, const RuneEdict&) = default;
};

struct Terms {
    std::optional<u128> cap, amount;
    std::optional<std::uint64_t> height_start, height_end, offset_start, offset_end;

    friend bool operator==(const Terms&, const Terms&) = default;
};

struct Etching {
    std::optional<std::uint8_t> divisibility; ///< at most 38
    std::optional<u128> premine, rune;        ///< rune: the name in base 26
    std::optional<std::uint32_t> spacers;     ///< 27 bits
    std::optional<std::uint32_t> symbol;      ///< a Unicode scalar value
    std::optional<Terms> terms;
    bool turbo = false;

    friend bool operator==(const Etching&, const Etching&) = default;
};

/// A decoded runestone. With a `flaw` it is a cenotaph: then only `mint` and the etching's rune
/// count, the other fields hold what was read up to that point, and `protocol` is empty.
struct Runestone {
    std::optional<Flaw> flaw;
    FlatList<RuneEdict> edicts;
    std::optional<Etching> etching;
    std::optional<RuneId> mint;
    /// Any u32 if it may refer to a shadow vout; else below the number of outputs, as in ord.
    std::optional<std::uint32_t> pointer;
    FlatList<u128> protocol; ///< all values of tag 16383 in order; 15 bytes of each are used

    friend bool operator==(const Runestone&, const Runestone&) = default;
};

/// Whether a script starts with OP_RETURN OP_13: decoding only considers such outputs.
[[nodiscard]] constexpr bool is_runestone_script(ByteView script) noexcept {
    return script.size() >= 2 && script[0] == 0x6a && script[1] == 0x5d;
}

/// The runestone of a script for which `is_runestone_script` holds, in a transaction with `outputs`
/// outputs. Never fails: an error becomes its flaw. Memory is at most a small multiple of the
/// script. `pointer_anywhere`: the development branch accepts a pointer at or above the number of
/// outputs; in releases its tag, which is even, is left over and makes a cenotaph. Its lists lie in
/// `memory`, if that is given.
[[nodiscard]] Runestone decode_runestone(ByteView script, std::uint32_t outputs,
                                         bool pointer_anywhere = true, Arena* memory = nullptr);

/// The script of a runestone without a flaw: minimal varints, edicts sorted by id, pushes of at
/// most 520 bytes. Decodes to the same value if the edicts are sorted.
[[nodiscard]] Bytes encode_runestone(const Runestone& runestone);

/// Index of the transaction's first output whose script satisfies `is_runestone_script`.
[[nodiscard]] std::optional<std::uint32_t> find_runestone(const chain::Block& block,
                                                          const chain::Transaction& tx) noexcept;

} // namespace blockloom::alkanes
