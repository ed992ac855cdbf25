// When the tasks of one block really ran, laid out as a simulated schedule is.
#pragma once

#include "schedule/schedules.h"

#include <string>
#include <vector>

namespace blockloom::schedule {

/// A part of a device's submission: it runs many tasks at once, so it is no task's.
struct DeviceBar {
    std::uint32_t lane = 0;
    std::uint64_t start = 0, end = 0;
    std::uint32_t submission = 0; ///< counted from 0 within the block
    std::uint32_t invocations = 0;
    std::string name; ///< "upload", "run", "download"
};

/// Measured, in nanoseconds since the block's executions began. Immutable once made.
struct MeasuredSchedule {
    /// Lanes are workers; executions that did not count are aborted; a transaction's execution
    /// stands under its first task. `strategy`: what tasks waited for. `levels`: rounds between
    /// barriers; `optimistic`: for nothing but a worker, and in vain.
    Schedule schedule;
    std::vector<std::string> lanes; ///< names, one a worker of the schedule, devices last
    std::vector<DeviceBar> device;  ///< by start
    /// One a task of the index: the first task of its transaction, under which its execution
    /// stands.
    std::vector<TaskId> stands_under;
    std::uint64_t executions = 0, in_vain = 0;
};

} // namespace blockloom::schedule
