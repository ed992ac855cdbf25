// Exact cover: choose sets so that each item is in exactly one of them.
#pragma once

#include "schedule/colour_search.h"

#include <optional>
#include <span>
#include <vector>

namespace blockloom::schedule {

/// Knuth's algorithm X with dancing links; branches on the item with the fewest sets left.
class ExactCover {
public:
    explicit ExactCover(std::uint32_t items);

    /// Adds a set of distinct items. Sets are numbered in the order in which they are added.
    void add(std::span<const std::uint32_t> set);

    /// The numbers of sets that cover each item once; nothing if there is no such choice or the
    /// limit was reached.
    [[nodiscard]] std::optional<std::vector<std::uint32_t>> solve(const Limit& limit);

private:
    struct Node {
        std::uint32_t left, right, up, down;
        std::uint32_t item; ///< the header of its column
        std::uint32_t set;
    };

    void cover(std::uint32_t item);
    void uncover(std::uint32_t item);
    bool choose(const Limit& limit);

    std::vector<Node> nodes_; ///< 0 is the root, then a header for each item, then the sets' items
    std::vector<std::uint32_t> sizes_; ///< by header
    std::vector<std::uint32_t> chosen_;
    std::uint32_t sets_ = 0;
    std::uint64_t steps_ = 0;
    bool over_ = false;
};

} // namespace blockloom::schedule
