// Follows the best chain of a node: the blocks that come, and those that another branch replaces.
#pragma once

#include "node/block_node.h"
#include "node/wait_clock.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <stop_token>
#include <vector>

namespace blockloom::node {

/// What has changed since the last look.
struct TipChange {
    std::vector<NodeBlock> removed; ///< no longer of the best chain, the highest first
    std::vector<NodeBlock> added;   ///< the lowest first
    [[nodiscard]] bool empty() const noexcept { return removed.empty() && added.empty(); }
};

/// For one thread.
class TipFollower {
public:
    /// Blocks of which the hashes are remembered: a branch that is longer is an error.
    static constexpr std::size_t longest_branch = 1000;
    /// The most blocks of one change: the rest comes with the next one.
    static constexpr std::size_t most_added = 16;

    /// The first block that is new is the one at `first`. `clock` paces the questions.
    TipFollower(const BlockNode& node, std::uint64_t first, WaitClock& clock, Nanoseconds interval)
        : node_(node), clock_(clock), interval_(interval) {
        chain_.next = first;
    }
    /// The same behind blocks that are `known` already, the lowest first: those that are no longer
    /// of the best chain are among the removed ones of the first change.
    TipFollower(const BlockNode& node, std::vector<NodeBlock> known, WaitClock& clock,
                Nanoseconds interval)
        : TipFollower(node, known.empty() ? 0 : known.back().height + 1, clock, interval) {
        chain_.forgot = known.size() > longest_branch;
        const auto kept =
            known.end() - static_cast<std::ptrdiff_t>(std::min(known.size(), longest_branch));
        chain_.known.assign(kept, known.end());
    }

    /// Asks once. After an error nothing has changed.
    [[nodiscard]] Result<TipChange> look(const std::stop_token& stop);
    /// Asks until something has changed.
    [[nodiscard]] Result<TipChange> wait(const std::stop_token& stop);

private:
    struct Chain {
        std::uint64_t next = 0;      ///< the height that comes next
        std::deque<NodeBlock> known; ///< up to the one before it
        bool forgot = false;         ///< older ones than those
    };
    /// Takes off what is no longer of the best chain.
    Status find_removed(std::uint64_t tip, Chain& chain, TipChange& change,
                        const std::stop_token& stop) const;

    const BlockNode& node_;
    WaitClock& clock_;
    Nanoseconds interval_;
    Chain chain_;
};

} // namespace blockloom::node
