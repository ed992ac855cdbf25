#include "alkanes/utf8.h"

namespace blockloom::alkanes {
namespace {

/// Bytes of the character that starts so; 0: none does. `low` and `high` bound its second byte.
std::size_t size_of_character(Byte first, Byte& low, Byte& high) noexcept {
    low = 0x80;
    high = 0xbf;
    if (first < 0x80) return 1;
    if (first >= 0xc2 && first <= 0xdf) return 2;
    if (first >= 0xe0 && first <= 0xef) {
        if (first == 0xe0) low = 0xa0;
        if (first == 0xed) high = 0x9f;
        return 3;
    }
    if (first >= 0xf0 && first <= 0xf4) {
        if (first == 0xf0) low = 0x90;
        if (first == 0xf4) high = 0x8f;
        return 4;
    }
    return 0;
}

} // namespace

bool is_utf8(std::string_view text) noexcept {
    const ByteView bytes = as_bytes(text);
    for (std::size_t at = 0; at < bytes.size();) {
        Byte low = 0, high = 0;
        const std::size_t size = size_of_character(bytes[at], low, high);
        if (size == 0 || size > bytes.size() - at) return false;
        for (std::size_t i = 1; i < size; ++i) {
            if (bytes[at + i] < low || bytes[at + i] > high) return false;
            low = 0x80;
            high = 0xbf;
        }
        at += size;
    }
    return true;
}

} // namespace blockloom::alkanes
