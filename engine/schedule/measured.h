// When the tasks of one block actually ran, in the form of a simulated schedule.
#pragma once

#include "schedule/recorded_abort.h"
#include "schedule/schedules.h"

#include <string>
#include <vector>

namespace blockloom::schedule {

/// A part of a device submission, which runs many tasks at once and so belongs to no single task.
struct DeviceBar {
    std::uint32_t lane = 0;
    std::uint64_t start = 0, end = 0;
    std::uint32_t submission = 0; ///< counted from 0 within the block
    std::uint32_t invocations = 0;
    std::string name; ///< "upload", "run", "download"
};

/// Measured, in nanoseconds since the block's executions began. Immutable once made.
struct MeasuredSchedule {
    /// Lanes are workers; executions that were not accepted are aborted; a transaction's execution
    /// is listed under its first task. `strategy` says what tasks waited for: `levels`, the
    /// barriers between rounds; `optimistic`, only a free worker, and attempts may be aborted.
    Schedule schedule;
    std::vector<std::string> lanes; ///< names, one for each worker of the schedule, devices last
    std::vector<DeviceBar> device;  ///< by start
    /// One for each task of the index: the first task of its transaction, under which its execution
    /// is listed.
    std::vector<TaskId> stands_under;
    std::uint64_t executions = 0, aborted = 0;
    std::vector<RecordedAbort> aborts; ///< by time; empty: none, or none were recorded
};

} // namespace blockloom::schedule
