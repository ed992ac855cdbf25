#include "execute/flow/task_graph.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace blockloom::execute {
namespace {

constexpr std::uint64_t path_steps = 64;

} // namespace

void TaskGraphBuilder::add_task(std::uint64_t cost) {
    costs_.push_back(cost);
    ends_.push_back(static_cast<std::uint32_t>(predecessors_.size()));
}

void TaskGraphBuilder::waits_for(std::uint32_t task) {
    if (task == nobody || task + 1 == tasks()) return; // nobody, or itself
    const std::uint32_t begin = tasks() == 1 ? 0 : ends_[tasks() - 2];
    const auto own = predecessors_.begin() + begin;
    if (std::find(own, predecessors_.end(), task) != predecessors_.end()) return;
    predecessors_.push_back(task);
    ends_.back() = static_cast<std::uint32_t>(predecessors_.size());
}

TaskGraph TaskGraphBuilder::make() const {
    TaskGraph graph;
    const std::uint32_t count = tasks();
    graph.first_successor_.assign(count + std::size_t{1}, 0);
    graph.successors_.resize(predecessors_.size());
    graph.waits_for_.resize(count);
    graph.levels_.resize(count);
    const auto before = [&](std::uint32_t task) {
        const std::uint32_t begin = task == 0 ? 0 : ends_[task - 1];
        return std::span(predecessors_).subspan(begin, ends_[task] - begin);
    };
    for (const std::uint32_t task : predecessors_) ++graph.first_successor_[task + std::size_t{1}];
    std::partial_sum(graph.first_successor_.begin(), graph.first_successor_.end(),
                     graph.first_successor_.begin());
    std::vector<std::uint32_t> next(graph.first_successor_.begin(),
                                    graph.first_successor_.end() - 1);
    for (std::uint32_t task = 0; task < count; ++task) {
        graph.waits_for_[task] = static_cast<std::uint32_t>(before(task).size());
        std::uint32_t level = 0;
        for (const std::uint32_t earlier : before(task)) {
            graph.successors_[next[earlier]++] = task;
            level = std::max(level, graph.levels_[earlier]);
        }
        graph.levels_[task] = level + 1;
    }
    std::vector<std::uint64_t> paths(count, 0); // to the end, with the task's own cost
    for (std::uint32_t task = count; task-- > 0;) {
        paths[task] += costs_[task];
        graph.work_ += costs_[task];
        graph.span_ = std::max(graph.span_, paths[task]);
        for (const std::uint32_t earlier : before(task))
            paths[earlier] = std::max(paths[earlier], paths[task]);
    }
    // The longest path first, in steps of a part of the span; within a step in block order, which
    // is that of memory, too.
    const auto step_of = [&](std::uint32_t task) {
        return path_steps - paths[task] * path_steps / std::max<std::uint64_t>(1, graph.span_);
    };
    std::array<std::uint32_t, path_steps + 2> next_rank{};
    for (std::uint32_t task = 0; task < count; ++task) ++next_rank[step_of(task) + 1];
    std::partial_sum(next_rank.begin(), next_rank.end(), next_rank.begin());
    graph.by_rank_.resize(count);
    graph.ranks_.resize(count);
    graph.steps_.resize(count);
    static_assert(path_steps <= 255);
    for (std::uint32_t task = 0; task < count; ++task) {
        const std::uint64_t step = step_of(task);
        const std::uint32_t rank = next_rank[step]++;
        graph.steps_[rank] = static_cast<std::uint8_t>(step);
        graph.ranks_[task] = rank;
        graph.by_rank_[rank] = task;
    }
    return graph;
}

} // namespace blockloom::execute
