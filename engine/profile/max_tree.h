// A row of numbers of which the largest of any stretch, and the next large one, are found fast.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace blockloom::profile {

/// Immutable once made. Maxima of 16 numbers, of 16 × 16, and so on: a 15th more memory than the
/// numbers, answers in steps that grow with the logarithm of their count.
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
    /// The first of [from, to) that is `bound` or more; `to` where there is none. `to` ≤ size().
    [[nodiscard]] std::size_t first_at_least(std::size_t from, std::size_t to,
                                             std::int64_t bound) const noexcept;
    /// The largest of [from, to), which holds at least one.
    [[nodiscard]] std::int64_t largest(std::size_t from, std::size_t to) const noexcept;

private:
    std::vector<std::vector<std::int64_t>> levels_; ///< the numbers, maxima of 16, of 256, …
};

} // namespace blockloom::profile
