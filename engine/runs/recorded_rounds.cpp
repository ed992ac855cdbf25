#include "runs/recorded_rounds.h"

#include <algorithm>
#include <unordered_map>

namespace blockloom::runs {

using profile::Category;
using profile::LaneKind;
using schedule::TaskId;

RecordedRounds::RecordedRounds(const profile::Trace& trace) {
    for (const profile::Lane& lane : trace.lanes)
        if (lane.kind == LaneKind::driver)
            for (const profile::Span& span : lane.spans)
                if (span.category == Category::round)
                    rounds_.push_back({span.begin, span.end, std::nullopt, {}});
    std::sort(rounds_.begin(), rounds_.end(),
              [](const Round& a, const Round& b) { return a.begin < b.begin; });
    for (const profile::Lane& lane : trace.lanes) {
        if (lane.kind != LaneKind::worker) continue;
        for (const profile::Span& span : lane.spans) {
            if (span.depth != 0 || span.category == Category::wait) continue;
            if (span.category == Category::message) {
                if (const auto number = at(span.begin)) {
                    std::optional<Nanoseconds>& last = rounds_[*number].last;
                    last = std::max(last.value_or(span.end), span.end);
                }
                continue;
            }
            auto round =
                std::partition_point(rounds_.begin(), rounds_.end(), [&](const Round& earlier) {
                    return earlier.end <= span.begin;
                });
            for (; round != rounds_.end() && round->begin < span.end; ++round)
                round->beside.push_back(std::min(span.end, round->end) -
                                        std::max(span.begin, round->begin));
        }
    }
}

std::optional<std::size_t> RecordedRounds::at(Nanoseconds time) const noexcept {
    const auto after = std::upper_bound(
        rounds_.begin(), rounds_.end(), time,
        [](Nanoseconds wanted, const Round& round) { return wanted < round.begin; });
    if (after == rounds_.begin() || std::prev(after)->end <= time) return std::nullopt;
    return static_cast<std::size_t>(std::prev(after) - rounds_.begin());
}

Nanoseconds RecordedRounds::ending(std::size_t number) const noexcept {
    const Round& round = rounds_[number];
    return std::max<Nanoseconds>(0, round.end - round.last.value_or(round.begin));
}

ExecutionOrder execution_order(const RecordedRounds& rounds, const profile::Trace& trace,
                               std::uint64_t height, const conflict::ConflictIndex& index,
                               const schedule::MeasuredSchedule& measured) {
    ExecutionOrder order;
    const auto at = std::find(trace.heights.begin(), trace.heights.end(), height);
    if (at == trace.heights.end()) return order;
    const auto block = static_cast<std::uint32_t>(at - trace.heights.begin());
    // An execution is recorded under one task of its transaction.
    std::unordered_map<std::uint32_t, std::vector<TaskId>> tasks_under;
    for (TaskId task = 0; task < index.tasks(); ++task)
        tasks_under[index.trace->task_in_block(measured.stands_under[task])].push_back(task);
    std::map<std::pair<std::size_t, std::uint32_t>, Nanoseconds>
        latest; // by round and task of the block
    for (const profile::Lane& lane : trace.lanes) {
        if (lane.kind != LaneKind::worker) continue;
        for (const profile::Span& span : lane.spans) {
            if (span.category != Category::message || span.block != block) continue;
            const auto found = tasks_under.find(span.task);
            if (found == tasks_under.end()) continue; // a host task, or one that was left out
            const std::vector<TaskId>& tasks = found->second;
            const auto round = rounds.at(span.begin);
            if (!round) {
                order.in_order.insert(order.in_order.end(), tasks.begin(), tasks.end());
                continue;
            }
            const auto each = static_cast<std::uint64_t>(span.duration()) / tasks.size();
            Nanoseconds& begin = latest[{*round, span.task}];
            if (span.begin < begin) continue; // of the last execution
            begin = span.begin;
            for (const TaskId task : tasks)
                order.rounds[*round][task] = std::max<std::uint64_t>(1, each);
        }
    }
    std::sort(order.in_order.begin(), order.in_order.end());
    return order;
}

} // namespace blockloom::runs
