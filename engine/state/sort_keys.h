// Sorts many keys by their bytes. Keys of one kind begin alike, so that comparing them one with
// another would read the same beginnings again and again.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace blockloom::state {

struct KeyInOrder {
    std::string_view bytes;
    std::uint32_t number = 0; ///< the caller's
    std::uint64_t digits = 0; ///< while it is being sorted
};

/// Equal keys stay in no order.
void sort_keys(std::span<KeyInOrder> keys);

} // namespace blockloom::state
