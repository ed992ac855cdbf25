#include "range/followed_range.h"

#include "base/progress.h"
#include "range/range_totals.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>
#include <utility>

namespace blockloom::range {
namespace {

/// Blocks that were reported as added: only these are reported as removed.
class Reported {
public:
    explicit Reported(const std::vector<node::NodeBlock>& known) {
        for (const node::NodeBlock& block : known) hashes_.insert(block.hash);
    }
    void add(const Hash256& hash) { hashes_.insert(hash); }
    bool take(const Hash256& hash) { return hashes_.erase(hash) != 0; }

private:
    std::set<Hash256> hashes_;
};

bool is_one_of(const BlockRecord& record, std::span<const node::NodeBlock> blocks) {
    return record.block && std::any_of(blocks.begin(), blocks.end(), [&](const auto& block) {
               return block.hash == record.block->hash;
           });
}

/// Each once; how much is not known is said of all blocks together.
void add_notes(Range& to, const Range& from) {
    const std::string unknown = unknown_text(from.unknown);
    for (const std::string& note : from.notes)
        if (note != unknown && std::find(to.notes.begin(), to.notes.end(), note) == to.notes.end())
            to.notes.push_back(note);
}

} // namespace

Status follow_blocks(const FollowPlan& plan, const FollowEvents& events,
                     const std::stop_token& stop) {
    node::TipFollower follower =
        plan.known.empty() ? node::TipFollower(plan.node, plan.first, plan.clock, plan.interval)
                           : node::TipFollower(plan.node, plan.known, plan.clock, plan.interval);
    Reported reported(plan.known);
    bool unreachable = false;
    for (;;) {
        const auto change = follower.wait(stop);
        if (!change && change.error().code == ErrorCode::cancelled) return change.error();
        if (stop.stop_requested()) return cancelled_error();
        if (!change) { // a node that is started again is worth waiting for
            if (!std::exchange(unreachable, true)) events.unreachable(change.error());
            plan.clock.rest_until(plan.clock.now() + plan.interval, stop);
            continue;
        }
        if (std::exchange(unreachable, false) && events.reachable) events.reachable();
        for (const node::NodeBlock& block : change->removed)
            if (reported.take(block.hash))
                if (const Status removed = events.removed(block); !removed) return removed;
        for (const node::NodeBlock& block : change->added) {
            if (plan.last && block.height > *plan.last) break;
            const auto range = events.open(block.height);
            if (!range) return range.error();
            // If it is another one, the next look finds what has come instead.
            if (!is_one_of(*(*range)->blocks.front(), {&block, 1})) continue;
            reported.add(block.hash);
            if (const Status added = events.added(block, *range); !added) return added;
            if (plan.last && block.height == *plan.last) return {};
        }
    }
}

std::vector<node::NodeBlock> node_blocks_of(const Range& range) {
    std::vector<node::NodeBlock> blocks;
    for (const auto& record : range.blocks)
        if (record->block && record->block->height)
            blocks.push_back({*record->block->height, record->block->hash});
    return blocks;
}

std::shared_ptr<const Range> grown(const Range& range, const RangeGrowth& growth) {
    auto now = std::make_shared<Range>(range);
    now->notes.clear();
    add_notes(*now, range);
    std::erase_if(now->blocks, [&](const auto& record) {
        if (!is_one_of(*record, growth.removed)) return false;
        now->left_out.push_back(
            {record->block->height ? fmt::format("block {}", *record->block->height)
                                   : record->source,
             fmt::format("replaced by another branch of the chain; its hash is {}",
                         to_reversed_hex(record->block->hash)),
             true});
        return true;
    });
    for (const auto& added : growth.added) {
        now->blocks.insert(now->blocks.end(), added->blocks.begin(), added->blocks.end());
        now->left_out.insert(now->left_out.end(), added->left_out.begin(), added->left_out.end());
        now->unknown += added->unknown;
        add_notes(*now, *added);
    }
    if (const std::string unknown = unknown_text(now->unknown); !unknown.empty())
        now->notes.push_back(unknown);
    if (now->blocks.size() > most_followed_blocks)
        now->blocks.erase(now->blocks.begin(),
                          now->blocks.end() - static_cast<std::ptrdiff_t>(most_followed_blocks));
    const std::vector<node::NodeBlock> blocks = node_blocks_of(*now);
    if (!blocks.empty()) {
        now->options.from = blocks.front().height;
        now->options.to = blocks.back().height;
    }
    sum_up(*now);
    return now;
}

} // namespace blockloom::range
