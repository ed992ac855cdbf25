// Follows the best chain of a node, one block after the other, as soon as each can be used.
#pragma once

#include "node/tip_follower.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace blockloom::range {

/// Where to begin and to end.
struct FollowPlan {
    const node::BlockNode& node;
    node::WaitClock& clock;
    Nanoseconds interval = 0;             ///< between two questions for new blocks
    std::uint64_t first = 0;              ///< the first block that is new, if none is known
    std::vector<node::NodeBlock> known{}; ///< blocks below the first new one, the lowest first
    std::optional<std::uint64_t> last{};  ///< the last block; absent: until a stop is requested
};

/// What happens meanwhile; called on the thread that follows.
struct ChainEvents {
    /// Why a new block cannot be used yet (its state is not there); empty: it can be. May be empty.
    std::function<Result<std::string>(const node::NodeBlock&)> why_not_yet;
    /// A new block. False: the node has another one at this height by now.
    std::function<Result<bool>(const node::NodeBlock&)> added;
    /// A block that was known or added is no longer of the best chain; the highest first.
    std::function<Status(const node::NodeBlock&)> removed;
    /// A block has to wait. Once for each block, with the reason; may be empty.
    std::function<void(const std::string& why)> waiting;
    /// A node does not answer: it is asked again. Once, until it has answered.
    std::function<void(const Error&)> unreachable;
    std::function<void()> reachable; ///< it answers again; may be empty
};

/// Follows until `plan.last` was added, or something fails. A block that was replaced before it
/// could be added is neither added nor removed. Requesting a stop is an error.
Status follow_chain(const FollowPlan& plan, const ChainEvents& events, const std::stop_token& stop);

} // namespace blockloom::range
