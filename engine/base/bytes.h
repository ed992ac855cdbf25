// Byte views, little-endian reads and hexadecimal text.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace blockloom {

using Byte = std::uint8_t;
using Bytes = std::vector<Byte>;
using ByteView = std::span<const Byte>;

/// 32 bytes in the order in which they are hashed and sent. Bitcoin prints them reversed.
using Hash256 = std::array<Byte, 32>;

/// Reads an integer that may be unaligned; the caller has checked the bounds.
template <typename Integer> [[nodiscard]] Integer read_le(const Byte* from) noexcept {
    static_assert(std::endian::native == std::endian::little);
    Integer value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

template <typename Integer> void append_le(Bytes& to, Integer value) {
    static_assert(std::endian::native == std::endian::little);
    const std::size_t at = to.size();
    to.resize(at + sizeof value);
    std::memcpy(to.data() + at, &value, sizeof value);
}

[[nodiscard]] inline ByteView as_bytes(std::string_view text) noexcept {
    return {reinterpret_cast<const Byte*>(text.data()), text.size()};
}

/// Lower-case hexadecimal, two digits a byte, first byte first.
[[nodiscard]] std::string to_hex(ByteView bytes);

/// Hexadecimal of the bytes in reverse: how Bitcoin prints block hashes and txids.
[[nodiscard]] std::string to_reversed_hex(ByteView bytes);

/// The bytes of hexadecimal text of either case; nothing if a character or the length is wrong.
[[nodiscard]] std::optional<Bytes> from_hex(std::string_view text);

/// The hash that `to_reversed_hex` printed; nothing unless it is 64 hexadecimal digits.
[[nodiscard]] std::optional<Hash256> hash_from_reversed_hex(std::string_view text);

} // namespace blockloom
