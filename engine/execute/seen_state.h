// What a transaction looked at, as a state: running it again on that gives the same.
#pragma once

#include "state/memory_state.h"
#include "state/task_log.h"

namespace blockloom::execute {

/// The state as far as the transaction looked at it.
[[nodiscard]] state::MemoryState seen_state(const state::TransactionLog& log);

} // namespace blockloom::execute
