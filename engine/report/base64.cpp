#include "report/base64.h"

#include <algorithm>

namespace blockloom::report {
namespace {

constexpr std::string_view digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

} // namespace

std::string base64(ByteView bytes) {
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const std::size_t have = std::min<std::size_t>(3, bytes.size() - at);
        std::uint32_t group = 0;
        for (std::size_t i = 0; i < 3; ++i)
            group = group << 8U | (i < have ? bytes[at + i] : Byte{0});
        for (std::size_t i = 0; i < 4; ++i)
            text += i <= have ? digits[group >> (18U - 6U * i) & 63U] : '=';
    }
    return text;
}

std::optional<Bytes> from_base64(std::string_view text) {
    if (text.size() % 4 != 0) return std::nullopt;
    std::size_t length = text.size();
    while (length != 0 && text.size() - length < 2 && text[length - 1] == '=') --length;
    Bytes bytes;
    bytes.reserve(length / 4 * 3 + 2);
    std::uint32_t group = 0;
    unsigned bits = 0;
    for (std::size_t i = 0; i < length; ++i) {
        const std::size_t digit = digits.find(text[i]);
        if (digit == std::string_view::npos) return std::nullopt;
        group = group << 6U | static_cast<std::uint32_t>(digit);
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        bytes.push_back(static_cast<Byte>(group >> bits));
        group &= (1U << bits) - 1;
    }
    if (group != 0) return std::nullopt;
    return bytes;
}

} // namespace blockloom::report
