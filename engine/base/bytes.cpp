#include "base/bytes.h"

#include <algorithm>

namespace blockloom {
namespace {

constexpr char digits[] = "0123456789abcdef";

int digit_value(char c) noexcept {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

} // namespace

std::string to_hex(ByteView bytes) {
    std::string text(bytes.size() * 2, '0');
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        text[2 * i] = digits[bytes[i] >> 4];
        text[2 * i + 1] = digits[bytes[i] & 15];
    }
    return text;
}

std::string to_reversed_hex(ByteView bytes) {
    Bytes reversed(bytes.rbegin(), bytes.rend());
    return to_hex(reversed);
}

std::optional<Bytes> from_hex(std::string_view text) {
    if (text.size() % 2 != 0) return std::nullopt;
    Bytes bytes(text.size() / 2);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const int high = digit_value(text[2 * i]);
        const int low = digit_value(text[2 * i + 1]);
        if (high < 0 || low < 0) return std::nullopt;
        bytes[i] = static_cast<Byte>(high * 16 + low);
    }
    return bytes;
}

std::optional<Hash256> hash_from_reversed_hex(std::string_view text) {
    const auto bytes = from_hex(text);
    if (!bytes || bytes->size() != 32) return std::nullopt;
    Hash256 hash{};
    std::reverse_copy(bytes->begin(), bytes->end(), hash.begin());
    return hash;
}

} // namespace blockloom
