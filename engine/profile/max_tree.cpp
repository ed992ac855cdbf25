#include "profile/max_tree.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace blockloom::profile {
namespace {

constexpr unsigned fan_shift = 4; ///< of the count that one maximum covers
constexpr std::size_t fan = std::size_t{1} << fan_shift;

} // namespace

MaxTree::MaxTree(std::vector<std::int64_t> values) {
    levels_.push_back(std::move(values));
    while (levels_.back().size() > fan) {
        const std::vector<std::int64_t>& below = levels_.back();
        std::vector<std::int64_t> above((below.size() + fan - 1) / fan);
        for (std::size_t i = 0; i < above.size(); ++i) {
            const auto first = below.begin() + static_cast<std::ptrdiff_t>(i * fan);
            const auto count = std::min(fan, below.size() - i * fan);
            above[i] = *std::max_element(first, first + static_cast<std::ptrdiff_t>(count));
        }
        levels_.push_back(std::move(above));
    }
}

std::size_t MaxTree::first_at_least(std::size_t from, std::size_t to,
                                    std::int64_t bound) const noexcept {
    while (from < to) {
        // The widest stretch that begins here and contains no such value is skipped as a whole.
        std::size_t skip = 0;
        for (std::size_t level = 0; level < levels_.size(); ++level) {
            const std::size_t width = std::size_t{1} << (fan_shift * level);
            if (from % width != 0 || levels_[level][from / width] >= bound) break;
            skip = width;
        }
        if (skip == 0) return from;
        from += skip;
    }
    return to;
}

std::int64_t MaxTree::largest(std::size_t from, std::size_t to) const noexcept {
    std::int64_t found = std::numeric_limits<std::int64_t>::min();
    while (from < to) {
        std::size_t level = 0, width = 1;
        while (level + 1 < levels_.size() && from % (width * fan) == 0 &&
               from + width * fan <= to) {
            width *= fan;
            ++level;
        }
        found = std::max(found, levels_[level][from / width]);
        from += width;
    }
    return found;
}

} // namespace blockloom::profile
