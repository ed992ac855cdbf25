#include "execute/predict/value_predictors.h"

#include <algorithm>

namespace blockloom::execute {

std::optional<state::Value> ValuePredictors::predict(const ValueEffect& effect,
                                                     const state::Value* found,
                                                     std::span<const ReadValue> reads) {
    if (effect.kind() != ValueEffect::Kind::copy)
        // A blind write can only be predicted where it sets the same value.
        return effect.applied_to(found == nullptr ? state::Value() : *found);
    const auto source = std::ranges::find(reads, effect.source(), &ReadValue::key);
    return source == reads.end() ? std::nullopt : std::optional(*source->value);
}

void ValuePredictors::learn(std::uint32_t key, const state::Value* found, const state::Value* left,
                            std::span<const ReadValue> reads) {
    const state::Value* const now = left != nullptr ? left : found;
    const auto is_right = [&](const ValueEffect& effect) {
        const auto predicted = predict(effect, found, reads);
        return predicted && now != nullptr && *predicted == *now;
    };
    was_right_ = known_ && is_right(chosen_);
    known_ = true;
    Predictor& set = all_[sets];
    const bool set_again = left != nullptr && set.there && is_right(set.effect);
    all_[keeps].there = true;
    for (Predictor& each : all_) {
        if (!each.there) continue;
        if (is_right(each.effect))
            each.hits = static_cast<std::uint8_t>(std::min(each.hits + 1, most_hits));
        else // the longer it was right, the sooner it has to prove it again
            each.hits = static_cast<std::uint8_t>(each.hits -
                                                  std::min(each.hits > 3 ? 2 : 1, int{each.hits}));
    }
    if (left != nullptr) {
        set.effect = ValueEffect::of(nullptr, left);
        set.there = true;
        if (const ValueEffect added = ValueEffect::of(found, left);
            added.kind() == ValueEffect::Kind::add) {
            all_[adds].effect = added;
            all_[adds].there = true;
        }
        Predictor& copy = all_[copies];
        const auto matches = [&](const ReadValue& read) {
            return read.key != key && left->has_value() && !left->bytes().empty() &&
                   *read.value == *left;
        };
        const bool still = copy.there && is_right(copy.effect);
        if (const auto source = std::ranges::find_if(reads, matches);
            !still && source != reads.end()) {
            copy.effect = ValueEffect::copying(source->key);
            copy.there = true;
            copy.hits = 0;
        }
    }
    choose(found, left, set_again);
}

void ValuePredictors::choose(const state::Value* found, const state::Value* left, bool set_again) {
    // What the latest example suggests, as if it were the only one.
    std::size_t suggested = predictors;
    if (left == nullptr)
        suggested = keeps;
    else if (set_again || found == nullptr || !found->has_value() || !left->has_value())
        suggested = sets;
    else if (ValueEffect::of(found, left).kind() == ValueEffect::Kind::add)
        suggested = adds;
    std::size_t best = suggested;
    std::uint8_t hits = suggested == predictors ? 0 : all_[suggested].hits;
    for (std::size_t i = 0; i < predictors; ++i)
        if (all_[i].there && all_[i].hits > hits) best = i, hits = all_[i].hits;
    chosen_ = best == predictors ? ValueEffect::of(found, left) : all_[best].effect;
}

} // namespace blockloom::execute
