// Sorts many keys by their bytes. Keys of one kind begin alike, so that comparing them one with
// another would read the same beginnings again and again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace blockloom::state {

struct KeyInOrder {
    std::string_view bytes;
    std::uint32_t number = 0; ///< the caller's
    std::uint64_t digits = 0; ///< while it is being sorted
};

/// Equal keys stay in no order.
void sort_keys(std::span<KeyInOrder> keys);

/// Sorts pointers to what has a key, whose bytes `key_of(item)` returns.
template <typename Item, typename KeyOf>
void sort_by_key(std::vector<Item*>& items, const KeyOf& key_of) {
    std::vector<KeyInOrder> order;
    order.reserve(items.size());
    for (std::size_t i = 0; i < items.size(); ++i)
        order.push_back({key_of(items[i]), static_cast<std::uint32_t>(i)});
    sort_keys(order);
    std::vector<Item*> sorted;
    sorted.reserve(items.size());
    for (const KeyInOrder& item : order) sorted.push_back(items[item.number]);
    items = std::move(sorted);
}

} // namespace blockloom::state
