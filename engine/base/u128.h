// 128-bit unsigned integers: Alkanes ids and amounts, little-endian everywhere.
#pragma once

#include "base/bytes.h"

#include <bit>
#include <optional>
#include <string>
#include <string_view>

namespace blockloom {

__extension__ using u128 = unsigned __int128;

/// Bytes of a u128 in every encoding of Alkanes.
inline constexpr std::size_t u128_size = 16;

[[nodiscard]] constexpr std::uint64_t low_half(u128 value) noexcept {
    return static_cast<std::uint64_t>(value);
}
[[nodiscard]] constexpr std::uint64_t high_half(u128 value) noexcept {
    return static_cast<std::uint64_t>(value >> 64U);
}

/// 16 bytes, little-endian.
[[nodiscard]] std::string u128_bytes(u128 value);
/// The same, where the number is.
[[nodiscard]] inline std::string_view u128_view(const u128& value) noexcept {
    static_assert(std::endian::native == std::endian::little);
    return {reinterpret_cast<const char*>(&value), sizeof value};
}

/// The value of exactly 16 little-endian bytes.
[[nodiscard]] std::optional<u128> u128_from_bytes(std::string_view bytes) noexcept;

/// Appends 16 little-endian bytes to a byte string.
void append_u128(std::string& to, u128 value);

/// Decimal digits without leading zeros.
[[nodiscard]] std::string u128_text(u128 value);

/// Decimal digits, or hexadecimal ones after "0x"; nothing if a character is wrong, there is no
/// digit, or the number needs more than 128 bits.
[[nodiscard]] std::optional<u128> u128_from_text(std::string_view text) noexcept;

} // namespace blockloom
