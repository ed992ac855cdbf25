#include "state/value.h"

#include <algorithm>
#include <utility>

namespace blockloom::state {

void Value::keep_inside(std::string_view bytes) noexcept {
    std::copy(bytes.begin(), bytes.end(), short_.begin());
    size_ = static_cast<std::uint8_t>(bytes.size());
    kind_ = Kind::inside;
}

Value::Value(std::string bytes) {
    if (bytes.size() <= longest_inline) {
        keep_inside(bytes);
        return;
    }
    shared_ = std::make_shared<const std::string>(std::move(bytes));
    kind_ = Kind::shared;
}

Value::Value(std::string_view bytes) {
    if (bytes.size() <= longest_inline) {
        keep_inside(bytes);
        return;
    }
    shared_ = std::make_shared<const std::string>(bytes);
    kind_ = Kind::shared;
}

bool Value::operator==(const Value& other) const noexcept {
    if (has_value() != other.has_value()) return false;
    const std::string_view mine = bytes(), theirs = other.bytes();
    // Copies of one long value are common: the same address needs no look at the bytes.
    return mine.size() == theirs.size() && (mine.data() == theirs.data() || mine == theirs);
}

} // namespace blockloom::state
