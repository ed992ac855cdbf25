#include "range/followed_range.h"

#include "range/range_totals.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace blockloom::range {
namespace {

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

/// Of a block that was opened alone, the values that were not known are its own.
void note_unknown(Range& range, const Range& opened) {
    if (opened.blocks.size() == 1 && opened.blocks.front()->block)
        range.unknown_alone.emplace(opened.blocks.front()->block->hash, opened.unknown);
}

/// A block that is no longer of the range: what only it read is not counted any more.
void forget_unknown(Range& range, const BlockRecord& record) {
    if (!record.block) return;
    const auto found = range.unknown_alone.find(record.block->hash);
    if (found == range.unknown_alone.end()) return;
    range.unknown -= found->second;
    range.unknown_alone.erase(found);
}

} // namespace

Status follow_blocks(const FollowPlan& plan, const FollowEvents& events,
                     const std::stop_token& stop) {
    ChainEvents chain;
    chain.why_not_yet = events.why_not_yet;
    chain.added = [&](const node::NodeBlock& block) -> Result<bool> {
        const auto range = events.open(block.height);
        if (!range) return range.error();
        if (!is_one_of(*(*range)->blocks.front(), {&block, 1})) return false;
        const Status added = events.added(block, *range);
        return added ? Result<bool>(true) : added.error();
    };
    chain.removed = events.removed;
    chain.waiting = events.waiting;
    chain.unreachable = events.unreachable;
    chain.reachable = events.reachable;
    return follow_chain(plan, chain, stop);
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
    note_unknown(*now, range);
    std::erase_if(now->blocks, [&](const auto& record) {
        if (!is_one_of(*record, growth.removed)) return false;
        forget_unknown(*now, *record);
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
        note_unknown(*now, *added);
        add_notes(*now, *added);
    }
    if (now->blocks.size() > most_followed_blocks) {
        const auto kept = now->blocks.end() - static_cast<std::ptrdiff_t>(most_followed_blocks);
        for (auto dropped = now->blocks.begin(); dropped != kept; ++dropped)
            forget_unknown(*now, **dropped);
        now->blocks.erase(now->blocks.begin(), kept);
    }
    if (const std::string unknown = unknown_text(now->unknown); !unknown.empty())
        now->notes.push_back(unknown);
    const std::vector<node::NodeBlock> blocks = node_blocks_of(*now);
    if (!blocks.empty()) {
        now->options.from = blocks.front().height;
        now->options.to = blocks.back().height;
    }
    sum_up(*now);
    return now;
}

} // namespace blockloom::range
