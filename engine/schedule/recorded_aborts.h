// Aborted attempts of a measured schedule, with the reasons that their run recorded.
#pragma once

#include "schedule/measured.h"
#include "schedule/waits.h"

namespace blockloom::schedule {

/// Those of a task, by start: with the recorded reason, or with the one that aborted_attempts()
/// infers where none was recorded.
[[nodiscard]] std::vector<AbortedAttempt>
aborted_attempts(const ConflictIndex& index, const MeasuredSchedule& measured, TaskId task);

/// Attempts of the task's transaction that the run recorded without an execution in the schedule:
/// they ended without a result, or the device passed them on. By time.
[[nodiscard]] std::vector<RecordedAbort>
aborted_without_result(const ConflictIndex& index, const MeasuredSchedule& measured, TaskId task);

/// The first task of a transaction of the block; absent: the index has none of it.
[[nodiscard]] std::optional<TaskId> first_task_of(const ConflictIndex& index,
                                                  std::uint32_t transaction);

} // namespace blockloom::schedule
