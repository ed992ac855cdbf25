// The dependency-driven schedule (Graham's list scheduling with critical-path priorities).
#include "schedule/schedules.h"
#include "schedule/slot_order.h"

#include <algorithm>
#include <functional>
#include <queue>

namespace blockloom::schedule {

namespace {

/// Cost of the costliest chain that starts with the task, its own cost included.
std::vector<std::uint64_t> longest_path_to_sink(const ConflictIndex& index) {
    std::vector<std::uint64_t> path(index.tasks(), 0);
    for (TaskId task = index.tasks(); task-- > 0;) {
        path[task] += index.trace->cost_of(task);
        for (const TaskId before : index.predecessors_of(task))
            path[before] = std::max(path[before], path[task]);
    }
    return path;
}

/// The dependency edges turned round: successors in CSR.
struct Successors {
    std::vector<std::uint32_t> begin;
    std::vector<TaskId> tasks;

    explicit Successors(const ConflictIndex& index)
        : begin(index.tasks() + std::size_t{2}, 0), tasks(index.predecessors.size()) {
        for (const TaskId before : index.predecessors) ++begin[before + std::size_t{2}];
        for (std::size_t i = 2; i < begin.size(); ++i) begin[i] += begin[i - 1];
        for (TaskId task = 0; task < index.tasks(); ++task)
            for (const TaskId before : index.predecessors_of(task))
                tasks[begin[before + std::size_t{1}]++] = task;
    }

    [[nodiscard]] std::span<const TaskId> of(TaskId task) const {
        return std::span(tasks).subspan(begin[task], begin[task + std::size_t{1}] - begin[task]);
    }
};

/// Tasks in the order of their priority: rank 0 goes first. Ranks make the ready queue a heap of
/// integers.
std::vector<TaskId> by_priority(const std::vector<std::uint64_t>& path) {
    std::vector<TaskId> order(path.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<TaskId>(i);
    std::stable_sort(order.begin(), order.end(),
                     [&](TaskId a, TaskId b) { return path[a] > path[b]; });
    return order;
}

template <typename T> using MinQueue = std::priority_queue<T, std::vector<T>, std::greater<>>;

struct Running {
    std::uint64_t end;
    std::uint32_t worker;
    TaskId task;
    friend bool operator>(const Running& a, const Running& b) {
        return a.end != b.end ? a.end > b.end : a.worker > b.worker;
    }
};

} // namespace

Schedule schedule_list(const ConflictIndex& index, std::uint32_t workers) {
    Schedule schedule{Strategy::list, std::max(workers, 1u), 0, {}};
    const TaskId tasks = index.tasks();
    schedule.slots.reserve(tasks);
    const std::vector<TaskId> order = by_priority(longest_path_to_sink(index));
    std::vector<std::uint32_t> rank(tasks);
    for (std::uint32_t i = 0; i < tasks; ++i) rank[order[i]] = i;
    const Successors successors(index);

    std::vector<std::uint32_t> waits_for(tasks);
    MinQueue<std::uint32_t> ready; // ranks
    for (TaskId task = 0; task < tasks; ++task) {
        waits_for[task] = static_cast<std::uint32_t>(index.predecessors_of(task).size());
        if (waits_for[task] == 0) ready.push(rank[task]);
    }
    MinQueue<std::uint32_t> idle;
    for (std::uint32_t w = 0; w < std::min(schedule.workers, tasks); ++w) idle.push(w);
    MinQueue<Running> running;
    std::uint64_t now = 0;
    while (true) {
        while (!ready.empty() && !idle.empty()) {
            const TaskId task = order[ready.top()];
            const std::uint32_t worker = idle.top();
            ready.pop();
            idle.pop();
            const std::uint64_t end = now + index.trace->cost_of(task);
            schedule.slots.push_back({task, worker, now, end, false});
            running.push({end, worker, task});
        }
        if (running.empty()) break;
        // Everything that ends now is released before anything starts.
        now = running.top().end;
        while (!running.empty() && running.top().end == now) {
            const Running done = running.top();
            running.pop();
            idle.push(done.worker);
            for (const TaskId after : successors.of(done.task))
                if (--waits_for[after] == 0) ready.push(rank[after]);
        }
    }
    schedule.makespan = now;
    order_slots(schedule.slots);
    return schedule;
}

} // namespace blockloom::schedule
