// The values that a transaction read, as a state: executing it again on that state gives the same
// result.
#pragma once

#include "state/memory_state.h"
#include "state/task_log.h"

namespace blockloom::execute {

/// The part of the state that the transaction read.
[[nodiscard]] state::MemoryState seen_state(const state::TransactionLog& log);

} // namespace blockloom::execute
