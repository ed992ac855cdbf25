// Predictors of what a kind of task does to the value of a key: several compete, and how often each
// was right chooses.
#pragma once

#include "execute/predict/value_effect.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace blockloom::execute {

/// What an example read, as the copying predictor looks at it.
struct ReadValue {
    std::uint32_t key = 0; ///< its number
    const state::Value* value = nullptr;
};

class ValuePredictors {
public:
    /// Takes an example of key number `key`: what it found, if it read the key, and left, if it
    /// wrote it (null: it did not), and all that it read. Each predictor is compared with it, then
    /// learns from it.
    void learn(std::uint32_t key, const state::Value* found, const state::Value* left,
               std::span<const ReadValue> reads);

    /// The one that was right most often; of equals, the one that the latest example suggests.
    [[nodiscard]] const ValueEffect& chosen() const noexcept { return effect_of(chosen_); }
    /// Whether the one that was chosen before the latest example predicted what that left.
    [[nodiscard]] bool was_right() const noexcept { return was_right_; }

private:
    static constexpr int most_hits = 7;
    enum Which : std::uint8_t { sets, adds, copies, keeps, predictors }; ///< the last: none of them
    struct Score {
        std::uint8_t hits =
            0; ///< one more for each right prediction, one or two fewer for a wrong one
        bool there = false;
    };

    [[nodiscard]] const ValueEffect& effect_of(Which which) const noexcept;
    void choose(Which suggested) noexcept;

    std::array<ValueEffect, keeps> effects_; ///< the others have learned nothing
    std::array<Score, predictors> scores_;
    Which chosen_ = keeps;
    bool known_ = false, was_right_ = false;
};

} // namespace blockloom::execute
