#include "chain/block_head.h"
#include "chain/container.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace blockloom::chain {

namespace {

constexpr std::size_t prefix_size = 4;

/// 0 to 15, or -1.
int digit(Byte c) noexcept {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

bool is_space(Byte c) noexcept {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

std::size_t skip_spaces(ByteView text, std::size_t at) {
    while (at < text.size() && is_space(text[at])) ++at;
    return at;
}

/// Where the digits begin: after spaces and an optional "0x".
std::size_t first_digit(ByteView text) {
    const std::size_t at = skip_spaces(text, 0);
    const bool prefixed = text.size() - at >= 2 && text[at] == '0' && (text[at + 1] | 0x20) == 'x';
    return prefixed ? at + 2 : at;
}

/// The first bytes of text, up to `most`, up to the first character that is neither digit nor
/// space.
Bytes decode_beginning(ByteView text, std::size_t most) {
    Bytes bytes;
    int high = -1;
    for (std::size_t at = first_digit(text); at < text.size() && bytes.size() < most; ++at) {
        if (is_space(text[at])) continue;
        const int value = digit(text[at]);
        if (value < 0) break;
        if (high >= 0) bytes.push_back(static_cast<Byte>(high << 4 | value));
        high = high >= 0 ? -1 : value;
    }
    return bytes;
}

/// A reference to the block that `text` (at `offset` of the file) begins with, if it looks like
/// one.
std::optional<BlockRef> ref_of(const std::shared_ptr<const BlockFile>& file, ByteView text,
                               std::uint64_t offset) {
    const Bytes beginning = decode_beginning(text, head_size + prefix_size);
    std::optional<BlockHead> head = read_block_head(beginning);
    const bool with_height = !head && beginning.size() > prefix_size;
    if (with_height) head = read_block_head(ByteView(beginning).subspan(prefix_size));
    if (!head) return std::nullopt;
    BlockRef ref{file,        offset,       text.size(), Container::hex,
                 with_height, head->header, head->hash,  head->height};
    if (with_height && !ref.height) ref.height = read_le<std::uint32_t>(beginning.data());
    return ref;
}

} // namespace

bool may_be_text(ByteView beginning) {
    return decode_beginning(beginning, header_size).size() == header_size;
}

std::optional<Finding> find_in_text(const std::shared_ptr<const BlockFile>& file, ByteView stored) {
    if (!may_be_text(stored)) return std::nullopt;
    Finding lines;
    bool each_is_block = true;
    for (std::size_t at = skip_spaces(stored, 0); at < stored.size() && each_is_block;) {
        const auto from = stored.begin() + static_cast<std::ptrdiff_t>(at);
        const auto to = std::find(from, stored.end(), Byte{'\n'});
        const ByteView line(from, to);
        if (auto ref = ref_of(file, line, at)) {
            lines.blocks.push_back(std::move(*ref));
        } else {
            each_is_block = false;
        }
        at = skip_spaces(stored, at + line.size());
    }
    if (each_is_block && !lines.blocks.empty()) return lines;

    Finding whole;
    auto ref = ref_of(file, stored, 0);
    if (!ref) return std::nullopt;
    whole.blocks.push_back(std::move(*ref));
    return whole;
}

Result<Bytes> decode_hex_text(ByteView text, const std::string& place, std::uint64_t base_offset) {
    Bytes bytes;
    bytes.reserve(text.size() / 2);
    int high = -1;
    for (std::size_t at = first_digit(text); at < text.size(); ++at) {
        if (is_space(text[at])) continue;
        const int value = digit(text[at]);
        if (value < 0) {
            const bool shown = std::isprint(text[at]) != 0;
            return input_error(place, base_offset + at, "a hexadecimal digit",
                               shown ? fmt::format("'{}'", static_cast<char>(text[at]))
                                     : fmt::format("byte {:02x}", text[at]));
        }
        if (high >= 0) bytes.push_back(static_cast<Byte>(high << 4 | value));
        high = high >= 0 ? -1 : value;
    }
    if (high >= 0)
        return input_error(place, base_offset + text.size(), "an even number of digits",
                           "an odd one");
    return bytes;
}

} // namespace blockloom::chain
