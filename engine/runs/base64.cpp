#include "runs/base64.h"

#include <algorithm>
#include <openssl/evp.h>

namespace blockloom::runs {

std::string base64(ByteView bytes) {
    std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0'); // EVP_EncodeBlock ends with a zero
    // Its lengths are of type int: in pieces that are whole groups of three.
    constexpr std::size_t piece = std::size_t{3} << 28U;
    std::size_t to = 0;
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
        const auto length = static_cast<int>(std::min(piece, bytes.size() - at));
        to += static_cast<std::size_t>(EVP_EncodeBlock(
            reinterpret_cast<unsigned char*>(text.data() + to), bytes.data() + at, length));
    }
    text.resize(to);
    return text;
}

std::optional<Bytes> from_base64(std::string_view text) {
    if (text.empty()) return Bytes();
    if (text.size() % 4 != 0) return std::nullopt;
    std::size_t padding = 0;
    while (padding < 2 && text[text.size() - 1 - padding] == '=') ++padding;
    Bytes bytes(text.size() / 4 * 3);
    constexpr std::size_t piece = std::size_t{4} << 28U;
    for (std::size_t at = 0; at < text.size(); at += piece) {
        const std::string_view part = text.substr(at, piece);
        if (EVP_DecodeBlock(bytes.data() + at / 4 * 3,
                            reinterpret_cast<const unsigned char*>(part.data()),
                            static_cast<int>(part.size())) < 0)
            return std::nullopt;
    }
    bytes.resize(bytes.size() - padding);
    // The library also takes white space around a text, padding within it, and bits left over.
    if (base64(bytes) != text) return std::nullopt;
    return bytes;
}

} // namespace blockloom::runs
