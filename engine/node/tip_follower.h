// Follows the best chain of a node: the blocks that come, and those that another branch replaces.
#pragma once

#include "node/block_node.h"
#include "node/wait_clock.h"

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
    TipFollower(const BlockNode& node, std::uint64_t first, WaitClock& clock,
                Nanoseconds interval = 2'000'000'000) noexcept
        : node_(node), next_(first), clock_(clock), interval_(interval) {}

    /// Asks once.
    [[nodiscard]] Result<TipChange> look(const std::stop_token& stop);
    /// Asks until something has changed.
    [[nodiscard]] Result<TipChange> wait(const std::stop_token& stop);

private:
    /// Takes off what is no longer of the chain.
    Status find_removed(std::uint64_t tip, TipChange& change, const std::stop_token& stop);

    const BlockNode& node_;
    std::uint64_t next_; ///< the height that comes next
    WaitClock& clock_;
    Nanoseconds interval_;
    std::deque<NodeBlock> known_; ///< up to the one before `next_`
    bool forgot_ = false;         ///< older ones than those in `known_`
};

} // namespace blockloom::node
