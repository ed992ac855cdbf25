// How much dag would have repeated of a window that optimistic ran.
#pragma once

#include "execute/flow/task_graph.h"
#include "execute/round_strategy.h"

#include <cstdint>
#include <span>

namespace blockloom::execute {

/// The share of `tasks` (ascending) that dag would probably have repeated if it had followed
/// `graph`, which was made of them before they ran; 0..1. What they depend on is taken from their
/// executions, not from the graph. Each task is given the same time, on as many workers as the
/// window has; a task that the graph lets start before the one that it depends on has ended is
/// repeated, and so is whoever depends on it. Runs on all workers.
[[nodiscard]] double share_that_dag_would_repeat(const WindowNow& now,
                                                 std::span<const std::uint32_t> tasks,
                                                 const TaskGraph& graph);

} // namespace blockloom::execute
