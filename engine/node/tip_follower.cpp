#include "node/tip_follower.h"

#include "base/progress.h"

#include <fmt/format.h>

#include <algorithm>

namespace blockloom::node {

Status TipFollower::find_removed(std::uint64_t tip, TipChange& change,
                                 const std::stop_token& stop) {
    while (!known_.empty()) {
        const NodeBlock& last = known_.back();
        if (last.height <= tip) {
            const auto now = node_.hashes(last.height, 1, stop);
            if (!now) return now.error();
            if (now->front().hash == last.hash) return {};
        }
        change.removed.push_back(last);
        next_ = last.height;
        known_.pop_back();
        if (known_.empty() && forgot_)
            return Error{ErrorCode::bad_input,
                         fmt::format("{}: expected a branch of at most {} blocks, found a longer "
                                     "one that leaves the chain before block {}",
                                     node_.address().url, longest_branch, next_)};
    }
    return {};
}

Result<TipChange> TipFollower::look(const std::stop_token& stop) {
    TipChange change;
    const auto tip = node_.tip(stop);
    if (!tip) return tip.error();
    if (const Status found = find_removed(*tip, change, stop); !found) return found.error();
    if (*tip < next_) return change;
    const std::size_t count = std::min<std::uint64_t>(*tip - next_ + 1, most_added);
    auto added = node_.hashes(next_, count, stop);
    if (!added) return added.error();
    change.added = *std::move(added);
    for (const NodeBlock& block : change.added) known_.push_back(block);
    next_ += count;
    while (known_.size() > longest_branch) {
        known_.pop_front();
        forgot_ = true;
    }
    return change;
}

Result<TipChange> TipFollower::wait(const std::stop_token& stop) {
    for (;;) {
        if (stop.stop_requested()) return cancelled_error();
        auto change = look(stop);
        if (!change || !change->empty()) return change;
        clock_.sleep_until(clock_.now() + interval_, stop);
    }
}

} // namespace blockloom::node
