// Why a task of a schedule did not start earlier: its wait, cut into parts that add up.
#pragma once

#include "schedule/schedules.h"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace blockloom::schedule {

/// What a task waited for. In the order in which parts come, where they come.
enum class WaitFor : std::uint8_t {
    task,    ///< a task that it depends on
    attempt, ///< an attempt of its own, in vain: `task` wrote a key that it had read
    barrier, ///< the tasks of lower levels
    worker,  ///< its worker, which ran other tasks
    other,   ///< none of these: a check between rounds, a start that the simulation leaves open
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
        conflict::no_key;    ///< that orders both; no_key: program order, or no such task
    std::uint32_t kinds = 0; ///< of conflict on the key, as conflict::Reason has them
};

/// Of the execution that counts. The parts are in order of time and their lengths add up to
/// `start` − `ready`.
struct TaskWait {
    std::uint32_t worker = 0;
    std::uint64_t ready = 0; ///< when the block begins: the task was known then
    std::uint64_t start = 0, end = 0;
    std::uint32_t aborted = 0; ///< attempts before, in vain
    std::vector<WaitPart> parts;
};

/// Linear in the slots. Nothing: the schedule has no execution of the task that counts. A schedule
/// that was measured is laid out as one that was simulated (measured.h); there an execution stands
/// for all tasks of its transaction: `stands_under` names it, one a task; empty: each its own.
[[nodiscard]] std::optional<TaskWait> wait_of(const ConflictIndex& index, const Schedule& schedule,
                                              TaskId task,
                                              std::span<const TaskId> stands_under = {});

} // namespace blockloom::schedule
