#include "execute/predict/value_predictors.h"

#include <algorithm>

namespace blockloom::execute {

const ValueEffect& ValuePredictors::effect_of(Which which) const noexcept {
    static const ValueEffect keep, unknown = ValueEffect::of_unknown();
    if (which < keeps) return effects_[which];
    return which == keeps ? keep : unknown;
}

void ValuePredictors::learn(std::uint32_t key, const state::Value* found, const state::Value* left,
                            std::span<const ReadValue> reads) {
    const state::Value* const now = left != nullptr ? left : found;
    const auto is_right = [&](Which which) {
        if (now == nullptr) return false;
        const ValueEffect& effect = effect_of(which);
        if (effect.kind() != ValueEffect::Kind::copy) {
            // A blind write can only be predicted where it sets the same value.
            static const state::Value nothing;
            return effect.makes(*now, found == nullptr ? nothing : *found);
        }
        const auto source = std::ranges::find(reads, effect.source(), &ReadValue::key);
        return source != reads.end() && *source->value == *now;
    };
    was_right_ = known_ && is_right(chosen_);
    known_ = true;
    scores_[keeps].there = true;
    std::array<bool, predictors> right{};
    for (std::uint8_t i = 0; i < predictors; ++i) {
        Score& each = scores_[i];
        if (!each.there) continue;
        right[i] = is_right(Which{i});
        if (right[i])
            each.hits = static_cast<std::uint8_t>(std::min(each.hits + 1, most_hits));
        else // the longer it was right, the sooner it has to prove it again
            each.hits = static_cast<std::uint8_t>(each.hits -
                                                  std::min(each.hits > 3 ? 2 : 1, int{each.hits}));
    }
    // What this example suggests, as if it were the only one.
    Which suggested = keeps;
    if (left != nullptr) {
        ValueEffect shown = ValueEffect::of(found, left);
        suggested = right[sets] || shown.kind() == ValueEffect::Kind::set ? sets
                    : shown.kind() == ValueEffect::Kind::add              ? adds
                                                                          : predictors;
        effects_[sets] = ValueEffect::of(nullptr, left);
        scores_[sets].there = true;
        if (shown.kind() == ValueEffect::Kind::add) {
            effects_[adds] = std::move(shown);
            scores_[adds].there = true;
        }
        const auto matches = [&](const ReadValue& read) {
            return read.key != key && left->has_value() && !left->bytes().empty() &&
                   *read.value == *left;
        };
        if (!right[copies]) {
            if (const auto source = std::ranges::find_if(reads, matches); source != reads.end()) {
                effects_[copies] = ValueEffect::copying(source->key);
                scores_[copies] = {0, true};
            }
        }
    }
    choose(suggested);
}

void ValuePredictors::choose(Which suggested) noexcept {
    chosen_ = suggested;
    std::uint8_t hits = suggested == predictors ? 0 : scores_[suggested].hits;
    for (const Which which : {keeps, sets, adds, copies})
        if (scores_[which].there && scores_[which].hits > hits)
            chosen_ = which, hits = scores_[which].hits;
}

} // namespace blockloom::execute
