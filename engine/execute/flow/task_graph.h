// Which tasks of a round have to wait for which, by access sets that may be wrong, and in which
// order the ready ones run.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace blockloom::execute {

/// Tasks by their place in a round; a task only waits for earlier ones. Immutable.
class TaskGraph {
public:
    [[nodiscard]] std::uint32_t tasks() const noexcept {
        return static_cast<std::uint32_t>(waits_for_.size());
    }
    [[nodiscard]] std::span<const std::uint32_t> successors_of(std::uint32_t task) const noexcept {
        return std::span(successors_)
            .subspan(first_successor_[task], first_successor_[task + 1] - first_successor_[task]);
    }
    /// The number of tasks that a task waits for.
    [[nodiscard]] std::uint32_t waits_for(std::uint32_t task) const noexcept {
        return waits_for_[task];
    }
    /// From 0: of those that are ready, the task with the lowest rank runs first. Ranks follow the
    /// costliest path from a task to the end, longest first, in steps of 1/64 of the costliest of
    /// all, then block order.
    [[nodiscard]] std::uint32_t rank_of(std::uint32_t task) const noexcept { return ranks_[task]; }
    [[nodiscard]] std::uint32_t at_rank(std::uint32_t rank) const noexcept {
        return by_rank_[rank];
    }
    /// The step of the task with this rank, from 0: tasks of one step are equally urgent.
    [[nodiscard]] std::uint32_t step_at(std::uint32_t rank) const noexcept { return steps_[rank]; }
    /// From 1: the tasks on the longest chain that ends with the task.
    [[nodiscard]] std::uint32_t level_of(std::uint32_t task) const noexcept {
        return levels_[task];
    }
    [[nodiscard]] std::size_t edges() const noexcept { return successors_.size(); }
    /// The costs of all tasks, and of the costliest chain.
    [[nodiscard]] std::uint64_t work() const noexcept { return work_; }
    [[nodiscard]] std::uint64_t span() const noexcept { return span_; }
    /// How many tasks may run at once on average, by cost.
    [[nodiscard]] double parallelism() const noexcept {
        return span_ == 0 ? 1 : static_cast<double>(work_) / static_cast<double>(span_);
    }

private:
    friend class TaskGraphBuilder;

    std::vector<std::uint32_t> first_successor_, successors_, waits_for_, ranks_, by_rank_, levels_;
    std::vector<std::uint8_t> steps_; ///< by rank
    std::uint64_t work_ = 0, span_ = 0;
};

/// Takes tasks in block order. A task waits for the latest earlier writer of each key that it
/// reads, and for nothing else: every task finds the version that it needs, so neither two writes
/// nor a read before a write order tasks.
class TaskGraphBuilder {
public:
    /// Keys are numbered from 0 to `keys` - 1.
    explicit TaskGraphBuilder(std::size_t keys) : writers_(keys, nobody) {}

    /// The next task begins; its cost is in any unit, at least 1.
    void add_task(std::uint64_t cost);
    /// What the task that was added last reads. Must precede its writes.
    void reads(std::uint32_t key) { waits_for(writers_[key]); }
    void writes(std::uint32_t key) { writers_[key] = tasks() - 1; }
    /// The task that was added last waits for this earlier one.
    void waits_for(std::uint32_t task);

    [[nodiscard]] std::uint32_t tasks() const noexcept {
        return static_cast<std::uint32_t>(costs_.size());
    }
    [[nodiscard]] TaskGraph make() const;

private:
    static constexpr std::uint32_t nobody = ~std::uint32_t{0};

    std::vector<std::uint32_t> writers_; ///< by key: the latest
    std::vector<std::uint64_t> costs_;
    std::vector<std::uint32_t> ends_, predecessors_; ///< by task, contiguous
};

} // namespace blockloom::execute
