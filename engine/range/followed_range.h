// Follows the best chain of a node: each new block is opened as a range of its own, and a range
// that is open grows by them.
#pragma once

#include "range/followed_chain.h"
#include "range/range.h"

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace blockloom::range {

/// What happens meanwhile; called on the thread that follows. See ChainEvents.
struct FollowEvents {
    std::function<Result<std::string>(const node::NodeBlock&)> why_not_yet; ///< may be empty
    /// Opens the block of the source at a height.
    std::function<Result<std::shared_ptr<const Range>>(std::uint64_t height)> open;
    /// A block that was known or added is no longer of the best chain; the highest first.
    std::function<Status(const node::NodeBlock&)> removed;
    /// A new block, the only one of its range.
    std::function<Status(const node::NodeBlock&, const std::shared_ptr<const Range>&)> added;
    std::function<void(const std::string& why)> waiting; ///< may be empty
    std::function<void(const Error&)> unreachable;
    std::function<void()> reachable; ///< may be empty
};

/// Follows until `plan.last` was added, or something fails. A block that was replaced before it was
/// opened is neither added nor removed. Requesting a stop is an error.
Status follow_blocks(const FollowPlan& plan, const FollowEvents& events,
                     const std::stop_token& stop);

/// The blocks of a range as the node named them. Their heights are known.
[[nodiscard]] std::vector<node::NodeBlock> node_blocks_of(const Range& range);

/// What changes at the end of a range.
struct RangeGrowth {
    std::vector<node::NodeBlock> removed; ///< from its end, replaced by another branch
    std::vector<std::shared_ptr<const Range>> added;
};

/// The most blocks of a range that grows: a week of Bitcoin. Beyond that the oldest are dropped.
inline constexpr std::size_t most_followed_blocks = 1008;

/// The range after the change. Removed blocks are listed as left out. Values that were not known
/// are no longer counted if only a removed or dropped block read them; of blocks that were opened
/// together nobody knows which one did, so theirs stay counted. Its options name the heights that
/// it has now. Records are shared.
[[nodiscard]] std::shared_ptr<const Range> grown(const Range& range, const RangeGrowth& growth);

} // namespace blockloom::range
