#include "report/markup.h"

#include "base/utf8.h"

#include <cstdint>

namespace blockloom::report {
namespace {

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
        const std::size_t size = utf8_sequence(text);
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
