// LEB128 integers of up to 128 bits (spec/alkanes.md B.2): 7 bits a byte, low group first.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "base/u128.h"

#include <string>
#include <vector>

namespace blockloom::alkanes {

/// Most bytes of one integer. Longer forms than needed are accepted up to here.
inline constexpr std::size_t longest_leb128 = 19;

/// Every integer of `bytes`, which they must fill whole. `what` names the bytes in the error, which
/// tells the first integer that is cut off, longer than 19 bytes or needs more than 128 bits.
[[nodiscard]] Result<std::vector<u128>> decode_leb128(ByteView bytes, const std::string& what);

/// Appends the shortest form.
void append_leb128(Bytes& to, u128 value);

} // namespace blockloom::alkanes
