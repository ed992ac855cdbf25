// Tags and flags of a runestone's integers (docs/alkanes-protocol.md#runestones).
#pragma once

#include "base/u128.h"

namespace blockloom::alkanes {

namespace tag {
inline constexpr std::size_t body = 0, divisibility = 1, flags = 2, spacers = 3, rune = 4,
                             symbol = 5, premine = 6, cap = 8, amount = 10, height_start = 12,
                             height_end = 14, offset_start = 16, offset_end = 18, mint = 20,
                             pointer = 22, protocol = 16383;
} // namespace tag

namespace flag {
inline constexpr u128 etching = 1, terms = 2, turbo = 4;
} // namespace flag

} // namespace blockloom::alkanes
