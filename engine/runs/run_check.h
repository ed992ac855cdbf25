// Compares a range with what an indexer recorded of it: its blocks are executed as a run executes
// them, with the events of their calls noted. It is not part of any measured time.
#pragma once

#include "execute/replay.h"
#include "range/node_check.h"

#include <span>

namespace blockloom::runs {

/// Executes the blocks on `before` (null: the empty state) by the strategy, on the engine and
/// device of `how`, and compares each with the node's records. Fails if the node has not indexed
/// one of them.
[[nodiscard]] Result<range::NodeCheck>
check_blocks(std::span<const execute::ReplaySource> blocks, const state::StateView* before,
             const range::NodeRecords& records, execute::ReplayOptions how, ProgressSink& progress,
             const std::stop_token& stop);

} // namespace blockloom::runs
