#include "state/sort_keys.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

namespace blockloom::state {
namespace {

/// Fewer are compared as they are.
constexpr std::size_t few = 12;
constexpr std::size_t digits_at_once = 8;

/// The next bytes as a number that sorts alike; behind the end stand zeros.
std::uint64_t digits_at(std::string_view bytes, std::size_t at) noexcept {
    std::uint64_t digits = 0;
    if (at + digits_at_once <= bytes.size()) {
        std::memcpy(&digits, bytes.data() + at, sizeof digits);
        return __builtin_bswap64(digits);
    }
    for (std::size_t i = 0; i < digits_at_once; ++i)
        digits =
            digits << 8U | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0U);
    return digits;
}

/// How many bytes all have in common, `known` of them for certain.
std::size_t common_prefix(std::span<const KeyInOrder> keys, std::size_t known) noexcept {
    const std::string_view first = keys.front().bytes;
    std::size_t common = first.size();
    for (const KeyInOrder& key : keys.subspan(1)) {
        const std::size_t limit = std::min(common, key.bytes.size());
        std::size_t at = known;
        while (at < limit && key.bytes[at] == first[at]) ++at;
        common = at;
        if (common == known) break;
    }
    return common;
}

} // namespace

void sort_keys(std::span<KeyInOrder> keys) {
    struct Part {
        std::size_t begin, end, known;
    };
    std::vector<Part> parts{{0, keys.size(), 0}};
    while (!parts.empty()) {
        const Part part = parts.back();
        parts.pop_back();
        const auto items = keys.subspan(part.begin, part.end - part.begin);
        const auto by_bytes = [](const KeyInOrder& a, const KeyInOrder& b) {
            return a.bytes < b.bytes;
        };
        if (items.size() <= few) {
            std::sort(items.begin(), items.end(), by_bytes);
            continue;
        }
        const std::size_t at = common_prefix(items, part.known);
        for (KeyInOrder& item : items) item.digits = digits_at(item.bytes, at);
        std::sort(items.begin(), items.end(),
                  [](const KeyInOrder& a, const KeyInOrder& b) { return a.digits < b.digits; });
        for (std::size_t begin = 0; begin < items.size();) {
            std::size_t end = begin;
            bool longer = true;
            for (; end < items.size() && items[end].digits == items[begin].digits; ++end)
                longer = longer && items[end].bytes.size() >= at + digits_at_once;
            const auto same = items.subspan(begin, end - begin);
            // A key that ends within these bytes has the digits of one that continues with zeros.
            if (!longer)
                std::sort(same.begin(), same.end(), by_bytes);
            else if (same.size() > 1)
                parts.push_back({part.begin + begin, part.begin + end, at + digits_at_once});
            begin = end;
        }
    }
}

} // namespace blockloom::state
