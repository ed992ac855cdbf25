#include "execute/predict/value_effect.h"

namespace blockloom::execute {

ValueEffect ValueEffect::of(const state::Value* found, const state::Value* left) {
    ValueEffect effect;
    if (left == nullptr) return effect;
    if (found == nullptr || !found->has_value() || !left->has_value()) {
        effect.kind_ = Kind::set;
        effect.operand_ = *left;
        return effect;
    }
    effect.kind_ = Kind::unknown;
    const std::string_view from = **found, to = **left;
    if (from.size() != to.size() || from.empty() || from.size() > most_added) return effect;
    effect.kind_ = Kind::add;
    Sum addend;
    unsigned borrow = 0;
    for (std::size_t i = 0; i < from.size(); ++i) {
        const unsigned less = static_cast<std::uint8_t>(from[i]) + borrow;
        const unsigned byte = static_cast<std::uint8_t>(to[i]);
        addend[i] = static_cast<char>(byte - less);
        borrow = byte < less ? 1 : 0;
    }
    effect.operand_ = state::Value(std::string_view(addend.data(), from.size()));
    return effect;
}

ValueEffect ValueEffect::after(const state::Value* earlier, const state::Value* found,
                               const state::Value* left) {
    if (left == nullptr || earlier == nullptr || *earlier != *left) return of(found, left);
    ValueEffect effect;
    effect.kind_ = Kind::set;
    effect.operand_ = *left;
    return effect;
}

ValueEffect ValueEffect::copying(std::uint32_t source) {
    ValueEffect effect;
    effect.kind_ = Kind::copy;
    effect.source_ = source;
    return effect;
}

ValueEffect ValueEffect::of_unknown() {
    ValueEffect effect;
    effect.kind_ = Kind::unknown;
    return effect;
}

std::optional<state::Value> ValueEffect::applied_to(const state::Value& found) const {
    switch (kind_) {
    case Kind::keep:
        return found;
    case Kind::set:
        return operand_;
    case Kind::unknown:
    case Kind::copy:
        return std::nullopt;
    case Kind::add:
        break;
    }
    Sum bytes;
    const auto sum = sum_with(found, bytes);
    return sum ? std::optional<state::Value>(*sum) : std::nullopt;
}

bool ValueEffect::makes(const state::Value& left, const state::Value& found) const {
    switch (kind_) {
    case Kind::keep:
        return left == found;
    case Kind::set:
        return left == operand_;
    case Kind::unknown:
    case Kind::copy:
        return false;
    case Kind::add:
        break;
    }
    Sum bytes;
    const auto sum = sum_with(found, bytes);
    return sum && left.has_value() && *left == *sum;
}

/// Absent where the widths differ.
std::optional<std::string_view> ValueEffect::sum_with(const state::Value& found, Sum& sum) const {
    const std::string_view from = *found, addend = *operand_;
    if (!found.has_value() || from.size() != addend.size()) return std::nullopt;
    unsigned carry = 0;
    for (std::size_t i = 0; i < from.size(); ++i) {
        carry +=
            static_cast<std::uint8_t>(from[i]) + unsigned{static_cast<std::uint8_t>(addend[i])};
        sum[i] = static_cast<char>(carry);
        carry >>= 8U;
    }
    return std::string_view(sum.data(), from.size());
}

} // namespace blockloom::execute
