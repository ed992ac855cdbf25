// The schedule with a barrier after each level: what one dispatch a batch would cost.
#include "schedule/simulation.h"
#include "schedule/slot_order.h"

#include <algorithm>
#include <functional>
#include <queue>

namespace blockloom::schedule {

LevelSimulation::LevelSimulation(const ConflictIndex& index)
    : index_(index), order_(index.tasks()) {
    std::vector<std::size_t> next(index.level_sizes.size() + 1, 0);
    for (std::size_t level = 0; level < index.level_sizes.size(); ++level)
        next[level + 1] = next[level] + index.level_sizes[level];
    for (TaskId task = 0; task < index.tasks(); ++task)
        order_[next[index.level[task] - 1]++] = task;
    if (index.trace->cost.empty()) return;
    auto first = order_.begin();
    for (const std::uint32_t size : index.level_sizes) {
        const auto last = first + static_cast<std::ptrdiff_t>(size);
        std::sort(first, last, [&](TaskId a, TaskId b) {
            const std::uint64_t cost_a = index.trace->cost[a], cost_b = index.trace->cost[b];
            return cost_a != cost_b ? cost_a > cost_b : a < b;
        });
        first = last;
    }
}

Schedule LevelSimulation::run(std::uint32_t workers, Keep keep) const {
    Schedule schedule{Strategy::levels, std::max(workers, 1u), 0, {}};
    if (keep == Keep::makespan && index_.trace->cost.empty()) {
        for (const std::uint32_t size : index_.level_sizes)
            schedule.makespan += (size - 1) / schedule.workers + 1;
        return schedule;
    }
    if (keep == Keep::slots) schedule.slots.reserve(order_.size());
    using Free = std::pair<std::uint64_t, std::uint32_t>; // free from, worker
    std::size_t at = 0;
    for (const std::uint32_t size : index_.level_sizes) {
        const std::uint64_t barrier = schedule.makespan;
        std::priority_queue<Free, std::vector<Free>, std::greater<>> free;
        std::uint32_t fresh = 0; // workers that have done nothing in this level
        for (const std::size_t end = at + size; at < end; ++at) {
            Free next{barrier, fresh};
            if (fresh < schedule.workers && (free.empty() || free.top() > next)) {
                ++fresh;
            } else {
                next = free.top();
                free.pop();
            }
            const std::uint64_t finish = next.first + index_.trace->cost_of(order_[at]);
            if (keep == Keep::slots)
                schedule.slots.push_back({order_[at], next.second, next.first, finish, false});
            schedule.makespan = std::max(schedule.makespan, finish);
            free.emplace(finish, next.second);
        }
    }
    order_slots(schedule.slots);
    return schedule;
}

Schedule schedule_levels(const ConflictIndex& index, std::uint32_t workers) {
    return LevelSimulation(index).run(workers, Keep::slots);
}

} // namespace blockloom::schedule
