// Simulated schedules: when each task would run on p equal workers
// (docs/definitions.md#simulated-schedules).
#pragma once

#include "conflict/conflict_index.h"

#include <cstdint>
#include <vector>

namespace blockloom::schedule {

using conflict::ConflictIndex;
using conflict::TaskId;

enum class Strategy : std::uint8_t { levels, list, optimistic };

/// One execution of a task: [start, end) in cost units on a worker. Aborted ones only under
/// `optimistic`.
struct Slot {
    TaskId task = 0;
    std::uint32_t worker = 0;
    std::uint64_t start = 0, end = 0;
    bool aborted = false;
};

/// A simulated schedule. `slots` are ordered by start, then worker. Always a prediction, never a
/// measurement.
struct Schedule {
    Strategy strategy = Strategy::list;
    std::uint32_t workers = 1;
    std::uint64_t makespan = 0;
    std::vector<Slot> slots;
};

/// Levels with a barrier after each; within a level, costliest first, then by index.
[[nodiscard]] Schedule schedule_levels(const ConflictIndex& index, std::uint32_t workers);
/// Dependency-driven; priority is the longest path to a sink, then the index.
[[nodiscard]] Schedule schedule_list(const ConflictIndex& index, std::uint32_t workers);
/// Each worker takes the lowest index that is not yet running; a task that has read a key which a
/// lower task then writes is aborted when that writer finishes, and is re-executed; validation is
/// free.
[[nodiscard]] Schedule schedule_optimistic(const ConflictIndex& index, std::uint32_t workers);
[[nodiscard]] Schedule make_schedule(const ConflictIndex& index, Strategy strategy,
                                     std::uint32_t workers);

} // namespace blockloom::schedule
