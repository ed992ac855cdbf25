#include "node/tip_follower.h"

#include "base/progress.h"

#include <fmt/format.h>

#include <algorithm>

namespace blockloom::node {

Status TipFollower::find_removed(std::uint64_t tip, Chain& chain, TipChange& change,
                                 const std::stop_token& stop) const {
    while (!chain.known.empty()) {
        const NodeBlock last = chain.known.back();
        if (last.height <= tip) {
            const auto now = node_.hashes(last.height, 1, stop);
            if (!now) return now.error();
            if (now->front().hash == last.hash) return {};
        }
        change.removed.push_back(last);
        chain.next = last.height;
        chain.known.pop_back();
        if (chain.known.empty() && chain.forgot)
            return Error{ErrorCode::bad_input,
                         fmt::format("{}: expected a branch of at most {} blocks, found a longer "
                                     "one that leaves the chain before block {}",
                                     node_.address().url, longest_branch, chain.next)};
    }
    return {};
}

Result<TipChange> TipFollower::look(const std::stop_token& stop) {
    TipChange change;
    const auto tip = node_.tip(stop);
    if (!tip) return tip.error();
    Chain chain = chain_; // what fails half way is asked for again as a whole
    if (const Status found = find_removed(*tip, chain, change, stop); !found) return found.error();
    if (*tip >= chain.next) {
        const std::size_t count = std::min<std::uint64_t>(*tip - chain.next + 1, most_added);
        auto added = node_.hashes(chain.next, count, stop);
        if (!added) return added.error();
        change.added = *std::move(added);
        for (const NodeBlock& block : change.added) chain.known.push_back(block);
        chain.next += count;
        while (chain.known.size() > longest_branch) {
            chain.known.pop_front();
            chain.forgot = true;
        }
    }
    chain_ = std::move(chain);
    return change;
}

Result<TipChange> TipFollower::wait(const std::stop_token& stop) {
    for (;;) {
        if (stop.stop_requested()) return cancelled_error();
        auto change = look(stop);
        if (!change || !change->empty()) return change;
        clock_.rest_until(clock_.now() + interval_, stop);
    }
}

} // namespace blockloom::node
