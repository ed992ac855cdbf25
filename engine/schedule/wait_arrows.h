// "Why did this task wait", as arrows in a Gantt: from what was waited for to the task.
#pragma once

#include "schedule/waits.h"

#include <vector>

namespace blockloom::schedule {

/// Times in the units of the schedule.
struct WaitArrow {
    std::uint32_t from_worker = 0, to_worker = 0;
    double from = 0; ///< the end of what was waited for; for what kept the worker busy, its middle
    double to = 0;   ///< the task's start
    /// True: it kept the task's worker busy. False: the task depends on it, or it caused an abort.
    bool worker = false;
};

/// One for each part of `wait` that names a task, in order. `wait` belongs to `schedule`.
[[nodiscard]] std::vector<WaitArrow> wait_arrows(const Schedule& schedule, const TaskWait& wait);

} // namespace blockloom::schedule
