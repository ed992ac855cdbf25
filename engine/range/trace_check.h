// Compares the traces of a block's messages. Only included by the sources of the check.
#pragma once

#include "execute/replayed_block.h"
#include "range/check_rules.h"
#include "range/check_sink.h"
#include "range/node_records.h"

#include <span>

namespace blockloom::range {

/// Lays the node's traces of a block beside the events of its replay, message by message and event
/// by event.
void check_traces(std::span<const NodeTrace> traces, const execute::ReplayedBlock& block,
                  const CheckRules& rules, CheckSink& sink);

/// Of one message. `incoming` of its first entry is compared in any order.
void check_events(std::span<const alkanes::CallEvent> node,
                  std::span<const alkanes::CallEvent> replay, const CheckRules& rules,
                  CheckSink& sink);

} // namespace blockloom::range
