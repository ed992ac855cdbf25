// Chooses the keys that are kept as bitmaps while pairs are counted.
#pragma once

#include "conflict/touch_lists.h"

#include <cstdint>
#include <vector>

namespace blockloom::conflict {

/// The keys with the most accesses.
struct HotKeys {
    static constexpr std::uint32_t cold = ~std::uint32_t{0};

    std::vector<std::uint32_t> slot; ///< one per key: its index among the hot keys, or `cold`
    std::uint32_t count = 0;
};

/// Keys with at least `touches` accesses; if there are more than `most` of them, those with twice
/// as many accesses, and so on.
[[nodiscard]] HotKeys find_hot_keys(const TouchLists& lists, std::uint32_t touches,
                                    std::size_t most);

} // namespace blockloom::conflict
