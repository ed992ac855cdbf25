// A sequence of numbers with fast queries for the maximum of a range and for the next large number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace blockloom::profile {

/// Immutable once made. Maxima of 16 numbers, of 16 × 16, and so on: a 15th more memory than the
/// numbers; queries take logarithmic time.
class MaxTree {
public:
    MaxTree() = default;
    explicit MaxTree(std::vector<std::int64_t> values);

    [[nodiscard]] std::size_t size() const noexcept {
        return levels_.empty() ? 0 : levels_.front().size();
    }
    [[nodiscard]] std::int64_t operator[](std::size_t at) const noexcept {
        return levels_.front()[at];
    }
    /// The index of the first number in [from, to) that is at least `bound`; `to` if there is none.
    /// `to` ≤ size().
    [[nodiscard]] std::size_t first_at_least(std::size_t from, std::size_t to,
                                             std::int64_t bound) const noexcept;
    /// The largest number in [from, to), which must not be empty.
    [[nodiscard]] std::int64_t largest(std::size_t from, std::size_t to) const noexcept;

private:
    std::vector<std::vector<std::int64_t>> levels_; ///< the numbers, maxima of 16, of 256, …
};

} // namespace blockloom::profile
