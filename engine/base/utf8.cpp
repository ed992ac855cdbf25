#include "base/utf8.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fmt/format.h>

namespace blockloom {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD"; // U+FFFD

/// Whether a byte belongs to the sequence that one before it began.
bool continues(char byte) noexcept {
    return (static_cast<std::uint8_t>(byte) & 0xC0U) == 0x80U;
}

/// The code point of a well-formed sequence.
std::uint32_t code_point(std::string_view sequence) noexcept {
    const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(sequence[i]); };
    constexpr std::array<std::uint32_t, 5> mask{0, 0x7F, 0x1F, 0x0F, 0x07};
    std::uint32_t point = byte(0) & mask[sequence.size()];
    for (std::size_t i = 1; i < sequence.size(); ++i) point = point << 6 | (byte(i) & 0x3FU);
    return point;
}

struct Range {
    std::uint32_t first, last;
};
constexpr std::array<Range, 11> steering{{
    {0x00, 0x1F},       // C0
    {0x7F, 0x9F},       // DEL, C1: U+009B begins a sequence as ESC [ does
    {0x061C, 0x061C},   // Arabic letter mark
    {0x115F, 0x1160},   // Hangul fillers
    {0x180E, 0x180E},   // Mongolian vowel separator
    {0x200B, 0x200F},   // without width, marks of direction
    {0x2028, 0x202E},   // separators of lines and paragraphs, embeddings, overrides
    {0x2060, 0x206F},   // invisible operators, isolates
    {0xFEFF, 0xFEFF},   // byte order mark
    {0xFFF9, 0xFFFB},   // interlinear annotation
    {0xE0000, 0xE0FFF}, // tags
}};

/// Copies `text`; invalid UTF-8 becomes U+FFFD, control characters go through `steering_one`.
template <typename Steering> std::string cleaned(std::string_view text, Steering steering_one) {
    std::string out;
    out.reserve(text.size());
    std::size_t plain = 0; // bytes at the front that need no change
    const auto flush = [&](std::size_t skipped) {
        out += text.substr(0, plain);
        text.remove_prefix(plain + skipped);
        plain = 0;
    };
    while (plain < text.size()) {
        const char first = text[plain];
        if (first >= 0x20 && first < 0x7F) {
            ++plain;
            continue;
        }
        const std::string_view rest = text.substr(plain);
        const std::size_t size = utf8_sequence(rest);
        if (size == 0) {
            flush(1);
            out += replacement;
        } else if (steers_terminal(rest.substr(0, size))) {
            flush(size);
            steering_one(out, rest.substr(0, size));
        } else {
            plain += size;
        }
    }
    flush(0);
    return out;
}

} // namespace

std::size_t utf8_sequence(std::string_view text) noexcept {
    const auto at = [&](std::size_t i) {
        return i < text.size() ? static_cast<std::uint8_t>(text[i]) : 0U;
    };
    const auto tail = [&](std::size_t i) { return (at(i) & 0xC0U) == 0x80U; };
    if (text.empty()) return 0;
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

bool is_utf8(std::string_view text) noexcept {
    while (!text.empty()) {
        const std::size_t size = utf8_sequence(text);
        if (size == 0) return false;
        text.remove_prefix(size);
    }
    return true;
}

char32_t next_character(std::string_view& text) noexcept {
    const std::size_t size = utf8_sequence(text);
    const char32_t character = size == 0 ? U'\uFFFD' : code_point(text.substr(0, size));
    text.remove_prefix(size == 0 ? 1 : size);
    return character;
}

std::string utf8_of(char32_t character) {
    const auto tail = [character](unsigned shift) {
        return static_cast<char>(0x80U | (character >> shift & 0x3FU));
    };
    const auto lead = [character](unsigned bits, unsigned shift) {
        return static_cast<char>(bits | character >> shift);
    };
    if (character < 0x80) return {static_cast<char>(character)};
    if (character < 0x800) return {lead(0xC0, 6), tail(0)};
    if (character < 0x10000) return {lead(0xE0, 12), tail(6), tail(0)};
    return {lead(0xF0, 18), tail(12), tail(6), tail(0)};
}

std::size_t utf8_length(std::string_view text) noexcept {
    return text.size() -
           static_cast<std::size_t>(std::count_if(text.begin(), text.end(), continues));
}

std::string valid_utf8(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const std::size_t size = utf8_sequence(text);
        if (size == 0)
            out += replacement;
        else
            out += text.substr(0, size);
        text.remove_prefix(size == 0 ? 1 : size);
    }
    return out;
}

std::string_view utf8_beginning(std::string_view text, std::size_t most) noexcept {
    if (text.size() <= most) return text;
    while (most > 0 && continues(text[most])) --most;
    return text.substr(0, most);
}

bool steers_terminal(std::string_view sequence) noexcept {
    const std::uint32_t point = code_point(sequence);
    for (const Range& range : steering)
        if (point >= range.first && point <= range.last) return true;
    return false;
}

std::string printable(std::string_view text) {
    return cleaned(text, [](std::string& out, std::string_view) { out += replacement; });
}

std::string printable_document(std::string_view text) {
    return cleaned(text, [](std::string& out, std::string_view sequence) {
        const std::uint32_t point = code_point(sequence);
        if (sequence == "\n" || sequence == "\t" || sequence == "\r")
            out += sequence;
        else if (point > 0xFFFF)
            out += fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + ((point - 0x10000) >> 10),
                               0xDC00 + ((point - 0x10000) & 0x3FF));
        else
            out += fmt::format("\\u{:04x}", point);
    });
}

} // namespace blockloom
