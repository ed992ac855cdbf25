#include "execute/predict/value_effect.h"

namespace blockloom::execute {

ValueEffect ValueEffect::of(const state::Value* found, const state::Value* left) {
    ValueEffect effect;
    if (left == nullptr) return effect;
    effect.left_ = *left;
    effect.kind_ = Kind::set;
    if (found == nullptr || !found->has_value() || !left->has_value()) return effect;
    effect.kind_ = Kind::unknown;
    const std::string_view from = **found, to = **left;
    if (from.size() != to.size() || from.empty() || from.size() > most_added) return effect;
    effect.kind_ = Kind::add;
    effect.width_ = static_cast<std::uint8_t>(from.size());
    unsigned borrow = 0;
    for (std::size_t i = 0; i < from.size(); ++i) {
        const unsigned less = static_cast<std::uint8_t>(from[i]) + borrow;
        const unsigned byte = static_cast<std::uint8_t>(to[i]);
        effect.addend_[i] = static_cast<std::uint8_t>(byte - less);
        borrow = byte < less ? 1 : 0;
    }
    return effect;
}

ValueEffect ValueEffect::after(const ValueEffect& earlier, const state::Value* found,
                               const state::Value* left) {
    ValueEffect effect = of(found, left);
    if (left != nullptr && earlier.kind_ != Kind::keep && earlier.left_ == *left)
        effect.kind_ = Kind::set;
    return effect;
}

ValueEffect ValueEffect::copying(std::uint32_t source) {
    ValueEffect effect;
    effect.kind_ = Kind::copy;
    effect.source_ = source;
    return effect;
}

std::optional<state::Value> ValueEffect::applied_to(const state::Value& found) const {
    switch (kind_) {
    case Kind::keep:
        return found;
    case Kind::set:
        return left_;
    case Kind::unknown:
    case Kind::copy:
        return std::nullopt;
    case Kind::add:
        break;
    }
    const std::string_view from = *found;
    if (!found.has_value() || from.size() != width_) return std::nullopt;
    std::array<char, most_added> sum;
    unsigned carry = 0;
    for (std::size_t i = 0; i < width_; ++i) {
        carry += static_cast<std::uint8_t>(from[i]) + unsigned{addend_[i]};
        sum[i] = static_cast<char>(carry);
        carry >>= 8U;
    }
    return state::Value(std::string_view(sum.data(), width_));
}

} // namespace blockloom::execute
