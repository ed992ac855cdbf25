#include "store/metashrew/node_chain.h"

#include "base/bytes.h"

#include <fmt/format.h>

#include <algorithm>

namespace blockloom::store {
namespace {

/// How far above the height the entries behind the one that was found are compared: a rollback of
/// as many blocks, and one that wrote the key no more than `most_compared` times, is always
/// noticed.
constexpr std::uint64_t deepest_rollback = 6;
constexpr std::uint64_t most_compared = 512;
constexpr std::uint64_t entries_at_once = 128;

class Lookup {
public:
    Lookup(const NodeFiles& files, const ChainRules& rules, std::string_view key,
           std::uint64_t height)
        : files_(files), rules_(rules), key_(key), height_(height) {}

    std::variant<ChainValue, ChainFailure> find() {
        ChainValue found;
        if (!count()) return failure_;
        if (count_ == 0) return found;
        const auto entry = rightmost();
        if (!entry) return failure_;
        found.in_order = in_order_;
        if (*entry != no_entry && !take(*entry, found)) return failure_;
        return found;
    }

private:
    static constexpr std::uint64_t no_entry = ~std::uint64_t{0};

    bool fail(Error error, bool inconsistent = false) {
        failure_ = {std::move(error), inconsistent};
        return false;
    }
    bool broken(std::uint64_t index, const std::string& expected, const std::string& found,
                bool inconsistent = false) {
        return fail({ErrorCode::bad_input,
                     fmt::format("key {}: entry {} of {}: expected {}, found {}",
                                 to_hex(as_bytes(key_)), index, count_, expected, found)},
                    inconsistent);
    }

    bool count() {
        const auto bytes = files_.get(count_key(rules_.layout, key_));
        if (!bytes) return fail(bytes.error());
        if (!*bytes) return true;
        const auto number = count_from(rules_.layout, **bytes);
        if (!number)
            return fail({ErrorCode::bad_input,
                         fmt::format("key {}: expected the number of its entries, found {} bytes "
                                     "({})",
                                     to_hex(as_bytes(key_)), (*bytes)->size(),
                                     to_hex(as_bytes(std::string_view(**bytes).substr(0, 16))))});
        count_ = *number;
        return true;
    }

    /// Bytes of the entry `index`, which must be there.
    const std::string* bytes_of(std::uint64_t index) {
        if (index == latest_index_) return &latest_;
        auto bytes = files_.get(entry_key(rules_.layout, key_, index));
        if (!bytes) {
            fail(bytes.error());
            return nullptr;
        }
        if (!*bytes) {
            missing(index);
            return nullptr;
        }
        latest_index_ = index;
        latest_ = **std::move(bytes);
        return &latest_;
    }
    bool missing(std::uint64_t index) {
        return broken(index, "an entry",
                      "none: a rollback is in progress, or the database changed while it was read",
                      true);
    }
    std::optional<ChainEntry> entry_of(std::uint64_t index, std::string_view bytes) {
        const auto entry = entry_from(rules_.layout, bytes);
        if (!entry)
            broken(
                index, fmt::format("a height and a value in layout {}", text_of(rules_.layout)),
                fmt::format("{} bytes ({})", bytes.size(), to_hex(as_bytes(bytes.substr(0, 24)))));
        return entry;
    }

    std::optional<std::uint64_t> height_of(std::uint64_t index) {
        const std::string* const bytes = bytes_of(index);
        if (bytes == nullptr) return std::nullopt;
        const auto entry = entry_of(index, *bytes);
        return entry ? std::optional<std::uint64_t>(entry->height) : std::nullopt;
    }
    /// Of the entries [from, to).
    std::optional<std::vector<std::uint64_t>> heights_of(std::uint64_t from, std::uint64_t to) {
        std::vector<std::string> keys;
        for (std::uint64_t i = from; i < to; ++i) keys.push_back(entry_key(rules_.layout, key_, i));
        const auto values = files_.get(keys);
        if (!values) {
            fail(values.error());
            return std::nullopt;
        }
        std::vector<std::uint64_t> heights;
        for (std::uint64_t i = from; i < to; ++i) {
            const auto& value = (*values)[i - from];
            if (!value) {
                missing(i);
                return std::nullopt;
            }
            const auto entry = entry_of(i, *value);
            if (!entry) return std::nullopt;
            heights.push_back(entry->height);
        }
        return heights;
    }

    /// The last entry whose height is not above; `no_entry`: all are. Nothing: it failed.
    std::optional<std::uint64_t> rightmost() {
        const auto last = height_of(count_ - 1);
        if (!last) return std::nullopt;
        if (*last <= height_) return count_ - 1;
        std::uint64_t low = 0, high = count_ - 1; // before low: not above; from high on: above
        std::uint64_t below = 0, above = *last;   // heights at their edges
        while (low < high && in_order_) {
            const std::uint64_t middle = low + (high - low) / 2;
            const auto probed = height_of(middle);
            if (!probed) return std::nullopt;
            in_order_ = below <= *probed && *probed <= above;
            if (*probed <= height_) {
                low = middle + 1;
                below = *probed;
            } else {
                high = middle;
                above = *probed;
            }
        }
        if (in_order_ && !compare_behind(low)) return std::nullopt;
        if (in_order_) return low == 0 ? no_entry : low - 1;
        return from_the_end();
    }

    /// Whether the entries from `from` on, which should all be above the height, are in order.
    bool compare_behind(std::uint64_t from) {
        std::uint64_t before = 0, at_once = 1, stride = 1;
        const std::uint64_t all = std::min(count_, from + most_compared);
        for (std::uint64_t at = from; at < all && before <= height_ + deepest_rollback;
             at_once = std::min(2 * at_once, entries_at_once)) {
            const std::uint64_t end = std::min(all, at + at_once);
            const auto heights = heights_of(at, end);
            if (!heights) return false;
            for (const std::uint64_t height : *heights) {
                in_order_ = in_order_ && before <= height && height > height_;
                before = height;
            }
            if (!in_order_) return true;
            at = end;
        }
        // A key that is written very often: samples, further and further apart.
        for (std::uint64_t at = all; at < count_ && before <= height_ + deepest_rollback;
             stride *= 2, at += stride) {
            const auto height = height_of(at);
            if (!height) return false;
            in_order_ = before <= *height;
            if (!in_order_) return true;
            before = *height;
        }
        return true;
    }

    std::optional<std::uint64_t> from_the_end() {
        for (std::uint64_t end = count_; end > 0;) {
            const std::uint64_t from = end > entries_at_once ? end - entries_at_once : 0;
            const auto heights = heights_of(from, end);
            if (!heights) return std::nullopt;
            for (std::uint64_t i = end; i > from; --i)
                if ((*heights)[i - from - 1] <= height_) return i - 1;
            end = from;
        }
        return no_entry;
    }

    /// The value of the entry, or of the last valid one before it.
    bool take(std::uint64_t index, ChainValue& found) {
        for (;; --index) {
            const std::string* const bytes = bytes_of(index);
            if (bytes == nullptr) return false;
            const auto entry = entry_of(index, *bytes);
            if (!entry) return false;
            if (rules_.layout == NodeLayout::v9_hashes) {
                const auto valid = rules_.is_valid(*entry);
                if (!valid) return fail(valid.error());
                if (!*valid || entry->height > height_) {
                    found.in_order = found.in_order && entry->height <= height_;
                    if (index == 0) return true;
                    continue;
                }
            }
            auto value = value_of(rules_.layout, *entry);
            if (!value) return broken(index, "a value in hexadecimal", "something else");
            if (!value->empty()) found.value = *std::move(value);
            return true;
        }
    }

    const NodeFiles& files_;
    const ChainRules& rules_;
    std::string_view key_;
    std::uint64_t height_;
    std::uint64_t count_ = 0;
    bool in_order_ = true;
    std::uint64_t latest_index_ = no_entry; ///< the entry that was read last
    std::string latest_;
    ChainFailure failure_;
};

} // namespace

std::variant<ChainValue, ChainFailure> find_in_chain(const NodeFiles& files,
                                                     const ChainRules& rules, std::string_view key,
                                                     std::uint64_t height) {
    return Lookup(files, rules, key, height).find();
}

} // namespace blockloom::store
