// "Why did this task wait", as arrows in a Gantt: from what was waited for to the task.
#pragma once

#include "schedule/waits.h"

#include <vector>

namespace blockloom::schedule {

/// Times in the units of the schedule.
struct WaitArrow {
    std::uint32_t from_worker = 0, to_worker = 0;
    double from = 0; ///< the end of what was waited for; of what kept the worker busy, its middle
    double to = 0;   ///< the task's start
    /// It kept the task's worker busy; else the task depends on it, or it spoiled an attempt.
    bool worker = false;
};

/// One a part of `wait` that names a task, in order. `wait` is of `schedule`.
[[nodiscard]] std::vector<WaitArrow> wait_arrows(const Schedule& schedule, const TaskWait& wait);

} // namespace blockloom::schedule
