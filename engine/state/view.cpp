#include "state/view.h"

#include <algorithm>
#include <cstring>

namespace blockloom::state {

u128 counter_of(const Value& value) noexcept {
    const std::string_view bytes = value.bytes();
    u128 counter = 0;
    if (!bytes.empty()) std::memcpy(&counter, bytes.data(), std::min(bytes.size(), u128_size));
    return counter;
}

Value value_of_counter(u128 counter) {
    static_assert(sizeof counter == u128_size);
    return std::string_view(reinterpret_cast<const char*>(&counter), sizeof counter);
}

} // namespace blockloom::state
