#include "profile/span.h"

#include <array>

namespace blockloom::profile {

const char* name_of(Category category) noexcept {
    static constexpr std::array<const char*, static_cast<std::size_t>(Category::count)> names{
        "phase", "round", "message", "check", "batch", "slice", "wait", "other"};
    return names[static_cast<std::size_t>(category)];
}

} // namespace blockloom::profile
