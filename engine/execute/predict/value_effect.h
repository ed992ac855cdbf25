// What a kind of task does to the value of a key, learned from one that did it: a predictor.
#pragma once

#include "state/value.h"

#include <array>
#include <cstdint>
#include <optional>

namespace blockloom::execute {

/// Predicts the value that a task leaves from the value that it finds. A guess: see
/// docs/execution.md#predicted-values.
class ValueEffect {
public:
    enum class Kind : std::uint8_t {
        keep,    ///< does not write
        set,     ///< always leaves the same value
        add,     ///< adds the same number to the little-endian number that the value is, or whose
                 ///< fields it has: fields add up as long as none overflows
        unknown, ///< none of these
    };
    /// Longer values are only kept or set.
    static constexpr std::size_t most_added = 32;

    /// From what a task found, if it read the key, and left, if it wrote it; null: it did not.
    [[nodiscard]] static ValueEffect of(const state::Value* found, const state::Value* left);
    /// The same, where an earlier task of the kind is known: one that left the same value sets it.
    [[nodiscard]] static ValueEffect after(const ValueEffect& earlier, const state::Value* found,
                                           const state::Value* left);

    [[nodiscard]] Kind kind() const noexcept { return kind_; }
    /// Absent: no prediction.
    [[nodiscard]] std::optional<state::Value> applied_to(const state::Value& found) const;

private:
    Kind kind_ = Kind::keep;
    std::uint8_t width_ = 0; ///< add: bytes
    std::array<std::uint8_t, most_added> addend_{};
    state::Value left_; ///< the value that the task left, if it wrote
};

} // namespace blockloom::execute
