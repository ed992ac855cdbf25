// Describes in words when a task would run under a simulated schedule, and why it waited.
#pragma once

#include "range/task_details.h"

namespace blockloom::range {

/// A cost or a simulated time with its unit: "3 units", "21,000 gas".
[[nodiscard]] std::string cost_text(const BlockRecord& record, std::uint64_t cost);

/// "Started at 3 units, as soon as #7 had ended." Always a prediction.
[[nodiscard]] std::string schedule_story(const BlockRecord& record,
                                         const schedule::Schedule& schedule, conflict::TaskId task);

/// Worker, start, end and aborted attempts as rows.
[[nodiscard]] DetailSection schedule_section(const BlockRecord& record,
                                             const schedule::Schedule& schedule,
                                             conflict::TaskId task);

} // namespace blockloom::range
