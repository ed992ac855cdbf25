// Which keys are kept as bitmaps while pairs are counted.
#pragma once

#include "conflict/touch_lists.h"

#include <cstdint>
#include <vector>

namespace blockloom::conflict {

/// Keys with the most touches.
struct HotKeys {
    static constexpr std::uint32_t cold = ~std::uint32_t{0};

    std::vector<std::uint32_t> slot; ///< one a key: its place among the hot ones, or `cold`
    std::uint32_t count = 0;
};

/// Keys with at least `touches` touches; where they are more than `most`, those with twice as many,
/// and so on.
[[nodiscard]] HotKeys find_hot_keys(const TouchLists& lists, std::uint32_t touches,
                                    std::size_t most);

} // namespace blockloom::conflict
