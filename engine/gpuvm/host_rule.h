// Host calls that the device answers itself.
#pragma once

#include "wasm/types.h"

#include <cstdint>

namespace blockloom::gpuvm {

/// One per import. Whatever a rule cannot answer exactly as specified here yields to the host, with
/// nothing changed: a pointer outside the memory, too little fuel for the fee, an unknown key, a
/// key of more than 256 bytes, a full read log, text that is not ASCII.
///
/// "Bytes at p" means the bytes at address p, whose number is a u32 at p − 4. The fee is `fee +
/// fee_per_byte · n`; it is checked before anything is written, and only deducted if `deducts`.
struct HostRule {
    enum class Kind : std::uint8_t {
        yield,        ///< the host answers
        constant,     ///< answers `value`
        blob_length,  ///< answers n, the bytes of the invocation's blob `slot`, if it has one
        blob_copy,    ///< writes them to the first argument
        value_length, ///< the first argument points to a key; answers the size of its value; n:
                      ///< bytes of key and value
        value_copy,   ///< the same, and writes the value to the second argument
        /// Writes the value of a key of the owner after the invocation's to the third argument: 64
        /// bytes, the first 32 at each of the first two arguments; n = 0. It counts as a read.
        pair_copy,
        /// The same for the empty key, and to the first argument.
        single_copy,
        fuel, ///< writes the fuel left before the fee, 8 bytes, to the first argument; n = 0
        text, ///< checks that the bytes at the first argument are ASCII, and discards them; n = 0
        /// Writes the bytes that the last `known_call` gave, or that came with the host's last
        /// answer (HostReply::bytes), to the first argument. The kernel yields for the host's.
        given_copy,
        /// A call whose answer is listed: the first argument points to the key of a known value of
        /// the invocation's owner of calls, the second to 16 zeros (no tokens), the third to at
        /// most 4,096 bytes that begin with a map (the number of entries, then the length and the
        /// bytes of each key and value; lengths are u32). Answers the size of the value, which
        /// `given_copy` writes from now on; it counts as a read; n = 0.
        known_call,
    };
    Kind kind = Kind::yield;
    std::uint64_t value = 0;
    std::uint32_t slot = 0; ///< below blob_slots
    std::uint64_t fee = 0;
    std::uint32_t fee_per_byte = 0;
    bool deducts = true;
    /// The result of a copy, `fuel` or `text` if the import has one: 0, or the pointer written to.
    bool answers_pointer = false;
};

inline constexpr std::uint32_t blob_slots = 4;

/// Whether an import of this type has the arguments that the rule looks at and the result that it
/// gives; else it yields.
[[nodiscard]] bool suits(const HostRule& rule, const wasm::FunctionType& type);

} // namespace blockloom::gpuvm
