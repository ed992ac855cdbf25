#include "store/metashrew/layout.h"

#include "base/bytes.h"

#include <fmt/format.h>

#include <charconv>

namespace blockloom::store {
namespace {

constexpr std::uint64_t most_entries = std::uint64_t{1} << 32;

template <typename Number> std::optional<Number> decimal(std::string_view text) {
    Number number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return number;
}

void append_four(std::string& to, std::uint32_t number) {
    char bytes[sizeof number];
    std::memcpy(bytes, &number, sizeof number);
    to.append(bytes, sizeof bytes);
}

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
    return read_le<std::uint32_t>(as_bytes(bytes).data() + at);
}

/// "HEIGHT:HEX" or "HEIGHT:HEX:HEX".
std::optional<ChainEntry> text_entry(std::string_view bytes, bool with_block) {
    ChainEntry entry;
    const std::size_t colon = bytes.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    const auto height = decimal<std::uint32_t>(bytes.substr(0, colon));
    if (!height) return std::nullopt;
    entry.height = *height;
    entry.stored = bytes.substr(colon + 1);
    if (with_block) {
        constexpr std::size_t digits = 16;
        if (entry.stored.size() <= digits || entry.stored[digits] != ':') return std::nullopt;
        entry.block = entry.stored.substr(0, digits);
        entry.stored.remove_prefix(digits + 1);
    }
    return entry;
}

} // namespace

std::string_view text_of(NodeLayout layout) noexcept {
    switch (layout) {
    case NodeLayout::v8:
        return "v8 (binary)";
    case NodeLayout::v9:
        return "v9 (text)";
    case NodeLayout::v9_hashes:
        return "v9 (text with block hashes)";
    case NodeLayout::v10:
        return "v10 (binary)";
    }
    return {};
}

std::string count_key(NodeLayout layout, std::string_view key) {
    std::string physical(key);
    if (layout == NodeLayout::v8)
        physical.append(4, '\xff');
    else
        physical += "/length";
    return physical;
}

std::string entry_key(NodeLayout layout, std::string_view key, std::uint64_t index) {
    std::string physical(key);
    if (layout == NodeLayout::v8)
        append_four(physical, static_cast<std::uint32_t>(index));
    else
        fmt::format_to(std::back_inserter(physical), "/{}", index);
    return physical;
}

std::optional<std::uint64_t> count_from(NodeLayout layout, std::string_view bytes) {
    if (layout == NodeLayout::v8 || layout == NodeLayout::v10) {
        if (bytes.size() != 4) return std::nullopt;
        return number_at(bytes, 0);
    }
    const auto count = decimal<std::uint64_t>(bytes);
    return count && *count <= most_entries ? count : std::nullopt;
}

std::optional<ChainEntry> entry_from(NodeLayout layout, std::string_view bytes) {
    switch (layout) {
    case NodeLayout::v9:
        return text_entry(bytes, false);
    case NodeLayout::v9_hashes:
        return text_entry(bytes, true);
    case NodeLayout::v8:
        if (bytes.size() < 4) return std::nullopt;
        return ChainEntry{.height = number_at(bytes, bytes.size() - 4),
                          .block = {},
                          .stored = bytes.substr(0, bytes.size() - 4)};
    case NodeLayout::v10:
        if (bytes.size() < 4) return std::nullopt;
        return ChainEntry{.height = number_at(bytes, 0), .block = {}, .stored = bytes.substr(4)};
    }
    return std::nullopt;
}

std::optional<std::string> value_of(NodeLayout layout, const ChainEntry& entry) {
    if (layout == NodeLayout::v8 || layout == NodeLayout::v10) return std::string(entry.stored);
    const auto bytes = from_hex(entry.stored);
    if (!bytes) return std::nullopt;
    return std::string(bytes->begin(), bytes->end());
}

std::optional<NodeLayout> layout_of_entry(const std::optional<std::string>& slashed,
                                          const std::optional<std::string>& binary,
                                          std::size_t size) {
    if (!slashed)
        return binary && binary->size() == size + 4 ? std::optional(NodeLayout::v8) : std::nullopt;
    if (slashed->size() == size + 4) return NodeLayout::v10;
    for (const NodeLayout layout : {NodeLayout::v9, NodeLayout::v9_hashes})
        if (const auto entry = entry_from(layout, *slashed);
            entry && entry->stored.size() == 2 * size && from_hex(entry->stored))
            return layout;
    return std::nullopt;
}

} // namespace blockloom::store
