#include "range/schedule_story.h"

#include "base/number_text.h"
#include "range/wait_story.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace blockloom::range {
namespace {

using conflict::TaskId;
using schedule::Slot;
using schedule::Strategy;

const char* name_of(Strategy strategy) {
    switch (strategy) {
    case Strategy::levels:
        return "levels";
    case Strategy::list:
        return "list";
    case Strategy::optimistic:
        return "optimistic";
    }
    return "";
}

std::string link(const conflict::ConflictIndex& index, TaskId task) {
    return fmt::format("#{}", count_text(index.trace->task_in_block(task)));
}

/// What a task waited for before it started.
struct Wait {
    Slot slot;                  ///< the execution that counts
    std::uint64_t ready = 0;    ///< when the last task it waits for ended
    std::optional<TaskId> last; ///< that task
    std::uint64_t barrier = 0;  ///< when all lower levels had ended
    std::uint32_t aborted = 0;  ///< attempts before
    bool found = false;
};

Wait found_wait(const conflict::ConflictIndex& index, const schedule::Schedule& schedule,
                TaskId task) {
    Wait wait;
    const auto before = index.predecessors_of(task);
    for (const Slot& slot : schedule.slots) {
        if (slot.task == task) {
            wait.aborted += slot.aborted ? 1 : 0;
            if (!slot.aborted) {
                wait.slot = slot;
                wait.found = true;
            }
        } else if (!slot.aborted) {
            if (slot.end > wait.ready &&
                std::binary_search(before.begin(), before.end(), slot.task)) {
                wait.ready = slot.end;
                wait.last = slot.task;
            }
            if (index.level[slot.task] < index.level[task])
                wait.barrier = std::max(wait.barrier, slot.end);
        }
    }
    return wait;
}

/// Else the simulation takes every task for one unit.
bool by_costs(const BlockRecord& record) {
    return record.analysis.options.use_cost && !record.trace->cost.empty();
}

std::string levels_story(const BlockRecord& record, const Wait& wait, std::uint32_t level) {
    const std::string times =
        fmt::format("Ready at {}, started at {}.", cost_text(record, wait.ready),
                    cost_text(record, wait.slot.start));
    if (wait.slot.start > wait.barrier)
        return fmt::format("{} It waited for a free worker, not for a task{}.", times,
                           wait.barrier > wait.ready
                               ? fmt::format(", after the barrier of level {}", level - 1)
                               : "");
    if (wait.barrier > wait.ready)
        return fmt::format("{} It waited for the barrier after level {}, not for a task.", times,
                           level - 1);
    return {};
}

std::string optimistic_story(const BlockRecord& record, const Wait& wait) {
    const std::string start = cost_text(record, wait.slot.start);
    if (wait.aborted == 0) return fmt::format("Started at {} and was not aborted.", start);
    return fmt::format("Last started at {}, after {} aborted {}: an earlier task of the block "
                       "wrote what it had read.",
                       start, wait.aborted, wait.aborted == 1 ? "attempt" : "attempts");
}

} // namespace

std::string cost_text(const BlockRecord& record, std::uint64_t cost) {
    if (!by_costs(record)) return counted(cost, "unit");
    const std::string number = count_text(cost);
    switch (record.trace->cost_unit) {
    case trace::CostUnit::unit:
        return counted(cost, "unit");
    case trace::CostUnit::gas:
        return number + " gas";
    case trace::CostUnit::fuel:
        return number + " fuel";
    case trace::CostUnit::compute_units:
        return number + " compute units";
    case trace::CostUnit::measured_ns:
        return time_text(static_cast<Nanoseconds>(cost));
    }
    return number;
}

std::string schedule_story(const BlockRecord& record, const schedule::Schedule& schedule,
                           TaskId task) {
    const conflict::ConflictIndex& index = *record.analysis.index;
    const Wait wait = found_wait(index, schedule, task);
    if (!wait.found) return {};
    if (schedule.strategy == Strategy::optimistic) return optimistic_story(record, wait);
    if (schedule.strategy == Strategy::levels)
        if (std::string story = levels_story(record, wait, index.level[task]); !story.empty())
            return story;
    const std::string start = cost_text(record, wait.slot.start);
    if (wait.slot.start > wait.ready)
        return fmt::format(
            "Ready at {}, started at {}: in between it waited for a free worker, not for a task.",
            cost_text(record, wait.ready), start);
    if (wait.last)
        return fmt::format("Started at {}, as soon as {} had finished.", start,
                           link(index, *wait.last));
    return fmt::format("Started at {}: it depends on no task, and a worker was free.", start);
}

DetailSection schedule_section(const BlockRecord& record, const schedule::Schedule& schedule,
                               TaskId task) {
    const Wait wait = found_wait(*record.analysis.index, schedule, task);
    DetailSection section{"Schedule",
                          by_costs(record) ? "predicted, by the trace's costs"
                                           : "predicted, cost 1 per task",
                          {},
                          {}};
    section.rows.push_back(
        {"Strategy", fmt::format("{} · {} {}", name_of(schedule.strategy), schedule.workers,
                                 schedule.workers == 1 ? "worker" : "workers")});
    if (!wait.found) return section;
    section.rows.push_back({"Worker", fmt::format("{}", wait.slot.worker)});
    section.rows.push_back({"Runs", fmt::format("{}–{}", cost_text(record, wait.slot.start),
                                                cost_text(record, wait.slot.end))});
    if (wait.aborted > 0) section.rows.push_back({"Aborted attempts", count_text(wait.aborted)});
    if (const auto parts = schedule::wait_of(*record.analysis.index, schedule, task))
        section.sentence = wait_sentence(
            record, *parts, [&](std::uint64_t length) { return cost_text(record, length); });
    return section;
}

} // namespace blockloom::range
