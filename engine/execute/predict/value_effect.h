// What a kind of task does to the value of a key, learned from one that did it: a predictor.
#pragma once

#include "state/value.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

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
        copy,    ///< leaves what it found at another key (ValuePredictors)
    };
    /// Longer values are only kept or set.
    static constexpr std::size_t most_added = 32;

    /// From what a task found, if it read the key, and left, if it wrote it; null: it did not.
    [[nodiscard]] static ValueEffect of(const state::Value* found, const state::Value* left);
    /// The same, where it is known what the task of the kind before it left (null: it did not
    /// write): one that left the same value sets it.
    [[nodiscard]] static ValueEffect after(const state::Value* earlier, const state::Value* found,
                                           const state::Value* left);

    /// Leaves what the task found at the key of this number.
    [[nodiscard]] static ValueEffect copying(std::uint32_t source);
    /// `Kind::unknown`.
    [[nodiscard]] static ValueEffect of_unknown();

    [[nodiscard]] Kind kind() const noexcept { return kind_; }
    /// copy: the number of the other key.
    [[nodiscard]] std::uint32_t source() const noexcept { return source_; }
    /// Absent: no prediction, or one that rests on another key.
    [[nodiscard]] std::optional<state::Value> applied_to(const state::Value& found) const;
    /// Whether that is `left`.
    [[nodiscard]] bool makes(const state::Value& left, const state::Value& found) const;

private:
    using Sum = std::array<char, most_added>;
    [[nodiscard]] std::optional<std::string_view> sum_with(const state::Value& found,
                                                           Sum& sum) const;

    Kind kind_ = Kind::keep;
    std::uint32_t source_ = 0; ///< copy
    state::Value operand_;     ///< set: what the task left; add: the number, as wide as the values
};

} // namespace blockloom::execute
