#include "range/followed_chain.h"

#include "base/progress.h"

#include <algorithm>
#include <deque>
#include <set>
#include <utility>

namespace blockloom::range {
namespace {

class ChainFollowing {
public:
    ChainFollowing(const FollowPlan& plan, const ChainEvents& events, const std::stop_token& stop)
        : plan_(plan), events_(events), stop_(stop),
          follower_(plan.known.empty()
                        ? node::TipFollower(plan.node, plan.first, plan.clock, plan.interval)
                        : node::TipFollower(plan.node, plan.known, plan.clock, plan.interval)) {
        for (const node::NodeBlock& block : plan.known) reported_.insert(block.hash);
    }

    Status follow() {
        for (bool ended = false; !ended;) {
            // While a block waits, others may come, or replace it.
            auto change = pending_.empty() ? follower_.wait(stop_) : follower_.look(stop_);
            if (!change && change.error().code == ErrorCode::cancelled) return change.error();
            if (stop_.stop_requested()) return cancelled_error();
            if (!change) { // a node that is started again is worth waiting for
                away(change.error());
                continue;
            }
            if (const Status taken = take(*std::move(change)); !taken) return taken;
            const auto added = add_pending();
            if (!added) return added.error();
            ended = *added;
            if (!ended && !pending_.empty()) rest();
        }
        return {};
    }

private:
    void rest() { plan_.clock.rest_until(plan_.clock.now() + plan_.interval, stop_); }
    void away(const Error& why) {
        if (!std::exchange(away_, true)) events_.unreachable(why);
        rest();
    }
    void back() {
        if (std::exchange(away_, false) && events_.reachable) events_.reachable();
    }

    /// What has changed: the new blocks wait until they can be added.
    Status take(node::TipChange change) {
        if (pending_.empty()) back(); // else the one that they wait for may still be away
        for (const node::NodeBlock& block : change.removed) {
            std::erase_if(pending_, [&](const auto& each) { return each.hash == block.hash; });
            if (reported_.erase(block.hash) == 0) continue;
            if (const Status removed = events_.removed(block); !removed) return removed;
        }
        for (const node::NodeBlock& block : change.added)
            if (!plan_.last || block.height <= *plan_.last) pending_.push_back(block);
        return {};
    }

    /// Whether a block may be added now. If not, it has been said.
    bool is_ready(const node::NodeBlock& block) {
        if (!events_.why_not_yet) return true;
        const auto why = events_.why_not_yet(block);
        if (!why) {
            if (why.error().code != ErrorCode::cancelled && !std::exchange(away_, true))
                events_.unreachable(why.error());
            return false;
        }
        back();
        if (why->empty()) return true;
        if (said_waiting_ != block.hash && events_.waiting) events_.waiting(*why);
        said_waiting_ = block.hash;
        return false;
    }

    /// True: the last one was added.
    Result<bool> add_pending() {
        while (!pending_.empty()) {
            const node::NodeBlock block = pending_.front();
            if (!is_ready(block)) return false;
            const auto added = events_.added(block);
            if (!added) {
                if (added.error().code == ErrorCode::cancelled) return added.error();
                // The place of the state may have left the branch meanwhile: then it waits.
                if (events_.why_not_yet && !is_ready(block)) return false;
                return added.error();
            }
            pending_.pop_front();
            // If it was another one, the next look finds what has come instead.
            if (!*added) continue;
            reported_.insert(block.hash);
            if (plan_.last && block.height == *plan_.last) return true;
        }
        return false;
    }

    const FollowPlan& plan_;
    const ChainEvents& events_;
    const std::stop_token& stop_;
    node::TipFollower follower_;
    std::deque<node::NodeBlock> pending_; ///< of the best chain, not yet added
    std::set<Hash256> reported_;          ///< added: only these are reported as removed
    std::optional<Hash256> said_waiting_;
    bool away_ = false;
};

} // namespace

Status follow_chain(const FollowPlan& plan, const ChainEvents& events,
                    const std::stop_token& stop) {
    return ChainFollowing(plan, events, stop).follow();
}

} // namespace blockloom::range
