// A replay compared with what an indexer recorded of the same blocks: the trace of every message,
// and the value of every key that a block wrote (docs/metashrew.md#checking).
#pragma once

#include "execute/layered_state.h"
#include "execute/replayed_block.h"
#include "range/check_result.h"
#include "range/check_rules.h"
#include "range/node_records.h"

namespace blockloom::range {

/// Compares blocks of a replay in their order. The records and the state before the first block
/// (null: the empty one) must outlive it.
class NodeChecker {
public:
    NodeChecker(const NodeRecords& records, const state::StateView* before,
                const CheckRules& rules);

    /// A block that was executed with ReplayOptions::events. Fails if the node has not indexed this
    /// block, or its records cannot be read; what they contain is never an error.
    Status add(const execute::ReplayedBlock& block);
    [[nodiscard]] NodeCheck take() { return std::move(check_); }

private:
    Status check_block(const execute::ReplayedBlock& block) const;

    const NodeRecords* records_;
    execute::LayeredState state_; ///< after the blocks so far, by the replay
    CheckRules rules_;
    NodeCheck check_;
};

} // namespace blockloom::range
