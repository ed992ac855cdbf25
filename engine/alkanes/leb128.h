// LEB128 integers of up to 128 bits (docs/alkanes-protocol.md#integers): 7 bits a byte, low group
// first.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "base/u128.h"

#include <vector>

namespace blockloom::alkanes {

/// The most bytes of one integer. Overlong encodings are accepted up to this length.
inline constexpr std::size_t longest_leb128 = 19;

/// The number of integers in `bytes`, which must consist of integers only. `what` names the bytes
/// in the error, which reports the first integer that is truncated, longer than 19 bytes, or needs
/// more than 128 bits.
[[nodiscard]] Result<std::size_t> count_leb128(ByteView bytes, const char* what);

/// Removes and returns the first integer of bytes that `count_leb128` has counted; there must be
/// one.
[[nodiscard]] inline u128 take_leb128(ByteView& bytes) noexcept {
    u128 value = 0;
    for (unsigned shift = 0;; shift += 7) {
        const Byte byte = bytes.front();
        bytes = bytes.subspan(1);
        value |= static_cast<u128>(byte & 0x7fU) << shift;
        if (byte < 0x80) return value;
    }
}

/// The bytes after the first `count` integers; there must be that many.
[[nodiscard]] inline ByteView skip_leb128(ByteView bytes, std::size_t count) noexcept {
    std::size_t at = 0;
    for (; count > 0; ++at) count -= bytes[at] < 0x80 ? 1U : 0U;
    return bytes.subspan(at);
}

/// Every integer of `bytes`; errors as for `count_leb128`.
[[nodiscard]] Result<std::vector<u128>> decode_leb128(ByteView bytes, const char* what);

/// Appends the shortest encoding.
void append_leb128(Bytes& to, u128 value);

} // namespace blockloom::alkanes
