// Compares the keys that a block wrote. Only included by the sources of the check.
#pragma once

#include "execute/replayed_block.h"
#include "range/check_rules.h"
#include "range/check_sink.h"
#include "range/node_records.h"

namespace blockloom::range {

/// Compares the value of every key of our state that the node or the replay wrote in a block.
/// `state` is the replay's after the block. Fails if the node's records cannot be read.
Status check_written(const NodeRecords& records, const execute::ReplayedBlock& block,
                     const state::StateView& state, const CheckRules& rules, CheckSink& sink);

} // namespace blockloom::range
