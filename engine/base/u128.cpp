#include "base/u128.h"

#include <algorithm>

namespace blockloom {

std::string u128_bytes(u128 value) {
    std::string bytes(u128_size, '\0');
    std::memcpy(bytes.data(), &value, u128_size);
    return bytes;
}

std::optional<u128> u128_from_bytes(std::string_view bytes) noexcept {
    if (bytes.size() != u128_size) return std::nullopt;
    return read_le<u128>(as_bytes(bytes).data());
}

void append_u128(std::string& to, u128 value) {
    static_assert(std::endian::native == std::endian::little);
    to.append(reinterpret_cast<const char*>(&value), u128_size);
}

std::string u128_text(u128 value) {
    std::string digits;
    do {
        digits.push_back(static_cast<char>('0' + static_cast<int>(value % 10)));
        value /= 10;
    } while (value != 0);
    std::reverse(digits.begin(), digits.end());
    return digits;
}

std::optional<u128> u128_from_text(std::string_view text) noexcept {
    unsigned base = 10;
    if (text.starts_with("0x") || text.starts_with("0X")) {
        base = 16;
        text.remove_prefix(2);
    }
    if (text.empty()) return std::nullopt;
    u128 value = 0;
    for (const char character : text) {
        unsigned digit = base;
        if (character >= '0' && character <= '9')
            digit = static_cast<unsigned>(character - '0');
        else if (character >= 'a' && character <= 'f')
            digit = static_cast<unsigned>(character - 'a') + 10;
        else if (character >= 'A' && character <= 'F')
            digit = static_cast<unsigned>(character - 'A') + 10;
        if (digit >= base) return std::nullopt;
        if (value > (~u128{0} - digit) / base) return std::nullopt;
        value = value * base + digit;
    }
    return value;
}

} // namespace blockloom
