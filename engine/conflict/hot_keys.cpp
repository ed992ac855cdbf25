#include "conflict/hot_keys.h"

#include <algorithm>

namespace blockloom::conflict {

HotKeys find_hot_keys(const TouchLists& lists, std::uint32_t touches, std::size_t most) {
    const trace::KeyId keys = lists.keys();
    const auto size_of = [&](trace::KeyId key) { return lists.begin[key + 1] - lists.begin[key]; };
    std::vector<trace::KeyId> candidates;
    for (trace::KeyId key = 0; key < keys; ++key)
        if (size_of(key) >= touches) candidates.push_back(key);
    std::uint64_t least = std::max<std::uint64_t>(touches, 1);
    while (candidates.size() > most) {
        least *= 2;
        std::erase_if(candidates, [&](trace::KeyId key) { return size_of(key) < least; });
    }
    HotKeys hot;
    hot.slot.assign(keys, HotKeys::cold);
    for (const trace::KeyId key : candidates) hot.slot[key] = hot.count++;
    return hot;
}

} // namespace blockloom::conflict
