// The dependency-driven schedule (Graham's list scheduling with critical-path priorities).
#include "schedule/rank_set.h"
#include "schedule/simulation.h"
#include "schedule/slot_order.h"

#include <algorithm>
#include <functional>
#include <numeric>
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

/// Tasks by path descending, then index.
std::vector<TaskId> by_priority(const std::vector<std::uint64_t>& path) {
    std::vector<TaskId> order(path.size());
    const std::uint64_t longest = path.empty() ? 0 : *std::max_element(path.begin(), path.end());
    if (longest <= 4 * path.size()) { // short paths, as at unit cost: count instead of comparing
        std::vector<std::uint32_t> next(longest + 2, 0);
        for (const std::uint64_t p : path) ++next[longest - p + 1];
        std::partial_sum(next.begin(), next.end(), next.begin());
        for (TaskId task = 0; task < path.size(); ++task)
            order[next[longest - path[task]]++] = task;
        return order;
    }
    std::iota(order.begin(), order.end(), TaskId{0});
    std::sort(order.begin(), order.end(),
              [&](TaskId a, TaskId b) { return path[a] != path[b] ? path[a] > path[b] : a < b; });
    return order;
}

struct Running {
    std::uint64_t end;
    std::uint32_t worker;
    std::uint32_t rank;
    friend bool operator>(const Running& a, const Running& b) { return a.end > b.end; }
};

} // namespace

ListSimulation::ListSimulation(const ConflictIndex& index)
    : task_(by_priority(longest_path_to_sink(index))), cost_(index.tasks()),
      waits_for_(index.tasks()), successor_begin_(index.tasks() + std::size_t{2}, 0),
      successors_(index.predecessors.size()) {
    std::vector<std::uint32_t> rank_of(index.tasks());
    for (std::uint32_t rank = 0; rank < task_.size(); ++rank) rank_of[task_[rank]] = rank;
    for (const TaskId before : index.predecessors)
        ++successor_begin_[rank_of[before] + std::size_t{2}];
    std::partial_sum(successor_begin_.begin(), successor_begin_.end(), successor_begin_.begin());
    for (std::uint32_t rank = 0; rank < task_.size(); ++rank) {
        const auto before = index.predecessors_of(task_[rank]);
        cost_[rank] = index.trace->cost_of(task_[rank]);
        waits_for_[rank] = static_cast<std::uint32_t>(before.size());
        for (const TaskId task : before)
            successors_[successor_begin_[rank_of[task] + std::size_t{1}]++] = rank;
    }
}

Schedule ListSimulation::run(std::uint32_t workers, Keep keep) const {
    Schedule schedule{Strategy::list, std::max(workers, 1u), 0, {}};
    if (keep == Keep::slots) schedule.slots.reserve(task_.size());
    std::vector<std::uint32_t> waits_for = waits_for_;
    RankSet ready(task_.size());
    for (std::uint32_t rank = 0; rank < task_.size(); ++rank)
        if (waits_for[rank] == 0) ready.insert(rank);
    const auto most = std::min<std::size_t>(schedule.workers, task_.size());
    RankSet idle(most);
    for (std::uint32_t worker = 0; worker < most; ++worker) idle.insert(worker);
    std::priority_queue<Running, std::vector<Running>, std::greater<>> running;
    std::uint64_t now = 0;
    while (true) {
        while (!ready.empty() && !idle.empty()) {
            const std::uint32_t rank = ready.take_first();
            const std::uint32_t worker = idle.take_first();
            const std::uint64_t end = now + cost_[rank];
            if (keep == Keep::slots)
                schedule.slots.push_back({task_[rank], worker, now, end, false});
            running.push({end, worker, rank});
        }
        if (running.empty()) break;
        // Everything that ends now is released before anything starts.
        now = running.top().end;
        while (!running.empty() && running.top().end == now) {
            const Running done = running.top();
            running.pop();
            idle.insert(done.worker);
            for (const std::uint32_t after : successors_of(done.rank))
                if (--waits_for[after] == 0) ready.insert(after);
        }
    }
    schedule.makespan = now;
    order_slots(schedule.slots);
    return schedule;
}

Schedule schedule_list(const ConflictIndex& index, std::uint32_t workers) {
    return ListSimulation(index).run(workers, Keep::slots);
}

} // namespace blockloom::schedule
