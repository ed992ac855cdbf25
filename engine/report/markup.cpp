#include "report/markup.h"

#include <cstdint>

namespace blockloom::report {
namespace {

/// Bytes of the well-formed UTF-8 sequence at the front, 0 if there is none (Unicode 15, table
/// 3-7).
std::size_t sequence_size(std::string_view text) {
    const auto at = [&](std::size_t i) {
        return i < text.size() ? static_cast<std::uint8_t>(text[i]) : 0U;
    };
    const auto tail = [&](std::size_t i) { return (at(i) & 0xC0U) == 0x80U; };
    const std::uint32_t first = at(0);
    if (first < 0x80) return 1;
    if (first >= 0xC2 && first <= 0xDF) return tail(1) ? 2 : 0;
    if (first >= 0xE0 && first <= 0xEF) {
        const bool overlong = first == 0xE0 && at(1) < 0xA0,
                   surrogate = first == 0xED && at(1) > 0x9F;
        return tail(1) && tail(2) && !overlong && !surrogate ? 3 : 0;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        const bool overlong = first == 0xF0 && at(1) < 0x90, beyond = first == 0xF4 && at(1) > 0x8F;
        return tail(1) && tail(2) && tail(3) && !overlong && !beyond ? 4 : 0;
    }
    return 0;
}

bool forbidden(char c) {
    const auto byte = static_cast<std::uint8_t>(c);
    return (byte < 0x20 && c != '\t' && c != '\n' && c != '\r') || byte == 0x7F;
}

/// U+FFFE and U+FFFF are no characters in XML.
bool no_character(std::string_view sequence) {
    return sequence == "\xEF\xBF\xBE" || sequence == "\xEF\xBF\xBF";
}

} // namespace

std::string escaped(std::string_view text) {
    static constexpr std::string_view replacement = "\xEF\xBF\xBD";
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const std::size_t size = sequence_size(text);
        const std::string_view sequence = text.substr(0, size == 0 ? 1 : size);
        text.remove_prefix(sequence.size());
        if (size == 0 || no_character(sequence) || (size == 1 && forbidden(sequence[0]))) {
            out += replacement;
            continue;
        }
        switch (sequence[0]) {
        case '&':
            out += "&amp;";
            break;
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        case '"':
            out += "&quot;";
            break;
        case '\'':
            out += "&#39;";
            break;
        case '\r': // a reader would make a line feed of it
            out += "&#13;";
            break;
        default:
            out += sequence;
        }
    }
    return out;
}

} // namespace blockloom::report
