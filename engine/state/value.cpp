#include "state/value.h"

#include <utility>

namespace blockloom::state {

Value::Value(std::string bytes) {
    if (bytes.size() <= longest_inline)
        content_.emplace<std::string>(std::move(bytes));
    else
        content_.emplace<Shared>(std::make_shared<const std::string>(std::move(bytes)));
}

std::string_view Value::bytes() const noexcept {
    if (const auto* text = std::get_if<std::string>(&content_)) return *text;
    if (const auto* shared = std::get_if<Shared>(&content_)) return **shared;
    return {};
}

bool Value::operator==(const Value& other) const noexcept {
    if (has_value() != other.has_value()) return false;
    const std::string_view mine = bytes(), theirs = other.bytes();
    // Copies of one long value are common: the same address needs no look at the bytes.
    return mine.size() == theirs.size() && (mine.data() == theirs.data() || mine == theirs);
}

} // namespace blockloom::state
