// Why a task of a schedule did not start earlier: its wait, split into parts that add up.
#pragma once

#include "schedule/recorded_abort.h"
#include "schedule/schedules.h"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace blockloom::schedule {

/// What a task waited for, in the order in which the parts occur.
enum class WaitFor : std::uint8_t {
    task,    ///< a task that it depends on
    attempt, ///< its own aborted attempt: `task` wrote a key that it had read
    barrier, ///< the tasks of lower levels
    worker,  ///< a free worker: its own ran other tasks
    other,   ///< none of these: a check between rounds, or a start time that the simulation leaves
             ///< open
};
/// "task" … "other".
[[nodiscard]] std::string_view name_of(WaitFor reason) noexcept;

/// A part of a wait; its units are those of the schedule.
struct WaitPart {
    WaitFor reason = WaitFor::other;
    std::uint64_t length = 0; ///< above 0
    /// `task`, `attempt`: the one that was waited for, the last to end. `barrier`: the last task of
    /// a lower level to end. `worker`: what ran there last before.
    std::optional<TaskId> task;
    conflict::KeyId key =
        conflict::no_key;    ///< that orders the two; no_key: program order, or no such task
    std::uint32_t kinds = 0; ///< kinds of conflict on the key, as in conflict::Reason
};

/// The wait of the accepted execution. The parts are in order of time, and their lengths add up to
/// `start` − `ready`.
struct TaskWait {
    std::uint32_t worker = 0;
    std::uint64_t ready = 0; ///< when the block begins: the task is known from then on
    std::uint64_t start = 0, end = 0;
    std::uint32_t aborted = 0; ///< aborted attempts before it
    std::vector<WaitPart> parts;
};

/// Linear in the slots. Nothing if the schedule has no accepted execution of the task. A measured
/// schedule has the same form as a simulated one (measured.h), but an execution covers all tasks of
/// its transaction: `stands_under` names the task under which it is listed, one entry for each
/// task; empty: each task has its own.
[[nodiscard]] std::optional<TaskWait> wait_of(const ConflictIndex& index, const Schedule& schedule,
                                              TaskId task,
                                              std::span<const TaskId> stands_under = {});

/// An aborted attempt, and the write that it missed.
struct AbortedAttempt {
    Slot slot;
    /// The first task that it depends on to end after the attempt had begun, one whose write it
    /// reads before others. Inferred from the times and the true access sets. Absent: they had all
    /// ended before, so the times do not say why it was aborted.
    std::optional<TaskId> by;
    conflict::KeyId key = conflict::no_key; ///< as in WaitPart
    std::uint32_t kinds = 0;                ///< as in WaitPart
    /// What the run itself recorded (recorded_aborts.h); absent: nothing.
    std::optional<RecordedAbort> recorded{};
};

/// Those of a task, by start. Linear in the slots; `stands_under` as in wait_of().
[[nodiscard]] std::vector<AbortedAttempt>
aborted_attempts(const ConflictIndex& index, const Schedule& schedule, TaskId task,
                 std::span<const TaskId> stands_under = {});

} // namespace blockloom::schedule
