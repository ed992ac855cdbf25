#include "range/node_check.h"

#include "base/contain.h"
#include "range/check_sink.h"
#include "range/trace_check.h"
#include "range/written_check.h"

#include <fmt/format.h>

namespace blockloom::range {

NodeChecker::NodeChecker(const NodeRecords& records, const state::StateView* before,
                         const CheckRules& rules)
    : records_(&records), state_(before), rules_(rules) {
    check_.place = records.place();
}

/// Whether the node has indexed this block.
Status NodeChecker::check_block(const execute::ReplayedBlock& block) const {
    const auto tip = records_->tip();
    if (!tip) return tip.error();
    const auto refuse = [&](const std::string& found) {
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: expected block {} ({}) to be indexed, to compare the replay "
                                 "with it, found {}",
                                 records_->place(), block.height(),
                                 to_reversed_hex(block.execution->hash), found)};
    };
    if (*tip < block.height()) return refuse(fmt::format("{} as the last one", *tip));
    const auto hash = records_->block_hash(block.height());
    if (!hash) return hash.error();
    if (!*hash) return refuse("no hash of that height");
    if (**hash != block.execution->hash) return refuse(to_reversed_hex(**hash));
    return {};
}

Status NodeChecker::add(const execute::ReplayedBlock& block) {
    return contain("comparing with the node", [&]() -> Status {
        if (const Status there = check_block(block); !there) return there;
        CheckedBlock checked;
        checked.height = block.height();
        checked.hash = block.execution->hash;
        checked.digest = block.execution->digest;
        CheckSink sink(check_, checked);
        const auto traces = records_->traces(block.height());
        if (!traces) return traces.error();
        check_traces(*traces, block, rules_, sink);
        state_.apply(block.execution->changes);
        if (const Status written = check_written(*records_, block, state_, rules_, sink); !written)
            return written;
        // A running node may have followed another branch meanwhile.
        if (const Status there = check_block(block); !there) return there;
        check_.blocks.push_back(checked);
        return {};
    });
}

} // namespace blockloom::range
