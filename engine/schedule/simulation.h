// Simulations of one block for any number of workers: what does not depend on the number of workers
// is computed once.
#pragma once

#include "schedule/schedules.h"

#include <cstdint>
#include <span>
#include <vector>

namespace blockloom::schedule {

/// Whether a simulation keeps its slots or only the makespan.
enum class Keep : std::uint8_t { slots, makespan };

/// As documented for `schedule_levels`.
class LevelSimulation {
public:
    explicit LevelSimulation(const ConflictIndex& index);
    [[nodiscard]] Schedule run(std::uint32_t workers, Keep keep) const;

private:
    const ConflictIndex& index_;
    std::vector<TaskId> order_; ///< by level; within a level costliest first, then index
};

/// As documented for `schedule_list`.
class ListSimulation {
public:
    explicit ListSimulation(const ConflictIndex& index);
    [[nodiscard]] Schedule run(std::uint32_t workers, Keep keep) const;

private:
    [[nodiscard]] std::span<const std::uint32_t> successors_of(std::uint32_t rank) const {
        return std::span(successors_)
            .subspan(successor_begin_[rank],
                     successor_begin_[rank + std::size_t{1}] - successor_begin_[rank]);
    }

    // Tasks are named by their rank: 0 has the longest path to a sink, ties by index.
    std::vector<TaskId> task_;
    std::vector<std::uint64_t> cost_;
    std::vector<std::uint32_t> waits_for_; ///< the number of predecessors
    std::vector<std::uint32_t> successor_begin_, successors_;
};

/// As documented for `schedule_optimistic`.
class OptimisticSimulation {
public:
    explicit OptimisticSimulation(const ConflictIndex& index);
    [[nodiscard]] Schedule run(std::uint32_t workers, Keep keep) const;

    /// Lists of keys, one per task.
    struct KeyLists {
        std::vector<std::size_t> begin{0};
        std::vector<std::uint32_t> keys;

        void end_list() { begin.push_back(keys.size()); }
        [[nodiscard]] std::span<const std::uint32_t> of(TaskId task) const {
            return std::span(keys).subspan(begin[task], begin[task + std::size_t{1}] - begin[task]);
        }
    };

private:
    const trace::PolicedTrace& trace_;
    KeyLists reads_;  ///< reads that a lower task can invalidate
    KeyLists writes_; ///< writes that can invalidate a higher task's read
    std::size_t keys_ = 0;
};

} // namespace blockloom::schedule
