#include "state/sort_keys.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <vector>

namespace blockloom::state {
namespace {

/// So few are compared byte by byte where their next digits are the same.
constexpr std::size_t few = 12;
/// As many are divided by a byte before they are compared.
constexpr std::size_t many = 64;
constexpr std::size_t digits_at_once = 8;

std::uint64_t load(const char* bytes) noexcept {
    std::uint64_t loaded = 0;
    std::memcpy(&loaded, bytes, sizeof loaded);
    return loaded;
}

/// The next bytes as a number that sorts alike; behind the end stand zeros.
std::uint64_t digits_at(std::string_view bytes, std::size_t at) noexcept {
    if (at + digits_at_once <= bytes.size()) return __builtin_bswap64(load(bytes.data() + at));
    if (at < bytes.size() && bytes.size() >= digits_at_once) {
        const std::size_t left = bytes.size() - at;
        return __builtin_bswap64(load(bytes.data() + bytes.size() - digits_at_once))
               << 8U * (digits_at_once - left);
    }
    std::uint64_t digits = 0;
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
        bool differ = false;
        while (!differ && at + digits_at_once <= limit) {
            const std::uint64_t both = load(key.bytes.data() + at) ^ load(first.data() + at);
            differ = both != 0;
            at += differ ? static_cast<std::size_t>(std::countr_zero(both)) / 8 : digits_at_once;
        }
        while (!differ && at < limit && key.bytes[at] == first[at]) ++at;
        common = at;
        if (common == known) break;
    }
    return common;
}

bool is_before(const KeyInOrder& a, const KeyInOrder& b) noexcept {
    return a.bytes < b.bytes;
}

class Sorting {
public:
    explicit Sorting(std::span<KeyInOrder> keys) : keys_(keys) { add(0, keys.size(), 0); }

    void perform() {
        while (!parts_.empty()) {
            const Part part = parts_.back();
            parts_.pop_back();
            const auto items = of(part);
            const std::size_t at = common_prefix(items, part.known);
            for (KeyInOrder& item : items) item.digits = digits_at(item.bytes, at);
            if (items.size() <= few)
                std::sort(items.begin(), items.end(), [](const KeyInOrder& a, const KeyInOrder& b) {
                    return a.digits != b.digits ? a.digits < b.digits : is_before(a, b);
                });
            else if (items.size() < many)
                sort_digits(part, at);
            else
                divide(part, at);
        }
    }

private:
    struct Part {
        std::size_t begin, end;
        std::size_t known; ///< bytes that all have in common; none is shorter
    };

    [[nodiscard]] std::span<KeyInOrder> of(const Part& part) const noexcept {
        return keys_.subspan(part.begin, part.end - part.begin);
    }
    void add(std::size_t begin, std::size_t end, std::size_t known) {
        if (end - begin > 1) parts_.push_back({begin, end, known});
    }

    void sort_digits(const Part& part, std::size_t at) {
        const auto items = of(part);
        std::sort(items.begin(), items.end(),
                  [](const KeyInOrder& a, const KeyInOrder& b) { return a.digits < b.digits; });
        for (std::size_t begin = 0; begin < items.size();) {
            std::size_t end = begin;
            while (end < items.size() && items[end].digits == items[begin].digits) ++end;
            add_alike({part.begin + begin, part.begin + end, at + digits_at_once});
            begin = end;
        }
    }

    /// By the first byte that differs: for many that costs less than comparing them.
    void divide(const Part& part, std::size_t at) {
        const auto items = of(part);
        const auto byte_of = [](const KeyInOrder& item) { return item.digits >> 56U; };
        std::array<std::size_t, 256> ends{};
        for (const KeyInOrder& item : items) ++ends[byte_of(item)];
        std::partial_sum(ends.begin(), ends.end(), ends.begin());
        moved_.assign(items.begin(), items.end());
        std::array<std::size_t, 256> begins = ends;
        for (const KeyInOrder& item : moved_) items[--begins[byte_of(item)]] = item;
        for (std::size_t byte = 0; byte < ends.size(); ++byte)
            add_alike({part.begin + begins[byte], part.begin + ends[byte], at + 1});
    }

    /// Those whose next digits are the same, as far as `known` if none ends before: a key that does
    /// has the digits of one that continues with zeros.
    void add_alike(const Part& part) {
        const auto items = of(part);
        const bool longer = std::all_of(items.begin(), items.end(), [&](const KeyInOrder& item) {
            return item.bytes.size() >= part.known;
        });
        if (longer)
            add(part.begin, part.end, part.known);
        else
            std::sort(items.begin(), items.end(), is_before);
    }

    std::span<KeyInOrder> keys_;
    std::vector<Part> parts_;
    std::vector<KeyInOrder> moved_;
};

} // namespace

void sort_keys(std::span<KeyInOrder> keys) {
    Sorting(keys).perform();
}

} // namespace blockloom::state
