// Keys of the family `meta` and the numbers in them. Only included by this room's sources.
#pragma once

#include "base/bytes.h"
#include "store/block_bytes.h"

#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace blockloom::store {

inline constexpr std::string_view version_key = "version"; ///< of the format, in digits
inline constexpr std::string_view tip_key = "tip";         ///< height of the last block, 8 bytes
inline constexpr std::string_view writes_key = "writes";   ///< atomic writes so far, u64
/// The block that the first one follows: its height u64, u8 1 and its hash, or u8 0.
inline constexpr std::string_view base_key = "base";
inline constexpr std::string_view block_prefix = "block:"; ///< then the height
inline constexpr std::string_view label_prefix = "label:"; ///< then the name
/// Followed by a key of the state that was seeded on top of blocks; the value is the height of the
/// last block below it.
inline constexpr std::string_view put_prefix = "put:";

[[nodiscard]] inline std::string block_key(std::uint64_t height) {
    return std::string(block_prefix) + height_key(height);
}

/// The height in a key's eight bytes, big-endian; nothing if it has another size.
[[nodiscard]] inline std::optional<std::uint64_t> height_from(std::string_view bytes) noexcept {
    std::uint64_t height = 0;
    if (bytes.size() != sizeof height) return std::nullopt;
    std::memcpy(&height, bytes.data(), sizeof height);
    return __builtin_bswap64(height);
}

/// Little-endian; nothing if it has another size.
[[nodiscard]] inline std::optional<std::uint64_t> number_from(std::string_view bytes) noexcept {
    std::uint64_t number = 0;
    if (bytes.size() != sizeof number) return std::nullopt;
    std::memcpy(&number, bytes.data(), sizeof number);
    return number;
}

[[nodiscard]] inline std::string number_bytes(std::uint64_t number) {
    return {reinterpret_cast<const char*>(&number), sizeof number};
}

} // namespace blockloom::store
