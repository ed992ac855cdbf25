#include "conflict/conflict_index.h"

#include <algorithm>

namespace blockloom::conflict {
namespace {

double share(std::uint64_t part, std::uint64_t whole) noexcept {
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

} // namespace

double ConflictIndex::single_conflict_rate() const noexcept {
    return share(conflicting_tasks, tasks());
}

double ConflictIndex::group_conflict_rate() const noexcept {
    return share(largest_group, tasks());
}

double ConflictIndex::parallel_ratio() const noexcept {
    return share(parallel_tasks, tasks());
}

double ConflictIndex::parallelism() const noexcept {
    return span == 0 ? 1.0 : static_cast<double>(work) / static_cast<double>(span);
}

std::vector<TaskId> critical_chain(const ConflictIndex& index) {
    std::vector<TaskId> chain;
    const auto last = std::find(index.finish.begin(), index.finish.end(), index.span);
    if (last == index.finish.end()) return chain;
    auto task = static_cast<TaskId>(last - index.finish.begin());
    for (;;) {
        chain.push_back(task);
        const std::uint64_t ready = index.finish[task] - index.trace->cost_of(task);
        const auto before = index.predecessors_of(task);
        // Ascending: the first that is on a costliest chain is the lowest.
        const auto on_chain = std::find_if(before.begin(), before.end(), [&](TaskId earlier) {
            return index.finish[earlier] == ready;
        });
        if (on_chain == before.end()) break;
        task = *on_chain;
    }
    std::reverse(chain.begin(), chain.end());
    return chain;
}

} // namespace blockloom::conflict
