// The one acceptance rule of every strategy and backend (docs/execution.md#what-is-checked).
#pragma once

#include "state/task_log.h"
#include "state/view.h"

namespace blockloom::state {

/// Whether the execution may be committed on `now`, the state that the accepted predecessors left:
/// every logged value equals the one there, byte for byte, and every predicate holds. Fails if
/// reading the state fails.
[[nodiscard]] Result<bool> accepts(const TransactionLog& log, const StateView& now);

} // namespace blockloom::state
