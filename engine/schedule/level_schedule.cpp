// The schedule with a barrier after each level: what one dispatch a batch would cost.
#include "schedule/schedules.h"
#include "schedule/slot_order.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>

namespace blockloom::schedule {

namespace {

/// Tasks grouped by level (ascending), inside one costliest first, then index.
std::vector<TaskId> tasks_by_level(const ConflictIndex& index) {
    std::vector<std::size_t> next(index.level_sizes.size() + 1, 0);
    for (std::size_t level = 0; level < index.level_sizes.size(); ++level)
        next[level + 1] = next[level] + index.level_sizes[level];
    std::vector<TaskId> order(index.tasks());
    for (TaskId task = 0; task < index.tasks(); ++task) order[next[index.level[task] - 1]++] = task;
    if (index.trace->cost.empty()) return order;
    auto first = order.begin();
    for (const std::uint32_t size : index.level_sizes) {
        const auto last = first + static_cast<std::ptrdiff_t>(size);
        std::stable_sort(first, last, [&](TaskId a, TaskId b) {
            return index.trace->cost_of(a) > index.trace->cost_of(b);
        });
        first = last;
    }
    return order;
}

} // namespace

Schedule schedule_levels(const ConflictIndex& index, std::uint32_t workers) {
    Schedule schedule{Strategy::levels, std::max(workers, 1u), 0, {}};
    schedule.slots.reserve(index.tasks());
    const std::vector<TaskId> order = tasks_by_level(index);
    using Free = std::pair<std::uint64_t, std::uint32_t>; // free from, worker
    std::size_t at = 0;
    for (const std::uint32_t size : index.level_sizes) {
        std::priority_queue<Free, std::vector<Free>, std::greater<>> free;
        for (std::uint32_t w = 0; w < std::min(schedule.workers, size); ++w)
            free.emplace(schedule.makespan, w);
        for (const std::size_t end = at + size; at < end; ++at) {
            const auto [start, worker] = free.top();
            free.pop();
            const std::uint64_t finish = start + index.trace->cost_of(order[at]);
            schedule.slots.push_back({order[at], worker, start, finish, false});
            schedule.makespan = std::max(schedule.makespan, finish);
            free.emplace(finish, worker);
        }
    }
    order_slots(schedule.slots);
    return schedule;
}

} // namespace blockloom::schedule
