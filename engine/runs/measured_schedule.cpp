#include "runs/measured_schedule.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <unordered_map>

namespace blockloom::runs {
namespace {

using profile::Category;
using profile::Span;
using schedule::DeviceBar;
using schedule::MeasuredSchedule;
using schedule::TaskId;

/// When the driver ran a block that has no executions of tasks: its rounds are between the end of
/// the blocks before it and its own first span.
struct Stretch {
    Nanoseconds begin = 0, end = 0;
};

std::optional<Stretch> stretch_of(const profile::Trace& trace, std::uint32_t block) {
    const profile::Lane* driver = nullptr;
    for (const profile::Lane& lane : trace.lanes)
        if (lane.kind == profile::LaneKind::driver) driver = &lane;
    if (driver == nullptr) return std::nullopt;
    Nanoseconds after = 0, before = trace.duration;
    bool seen = false;
    for (const Span& span : driver->spans) {
        if (span.block == profile::none) continue;
        if (span.block < block) after = std::max(after, span.end);
        if (span.block == block && !seen) before = span.begin, seen = true;
    }
    std::optional<Stretch> found;
    for (const Span& span : driver->spans) {
        if (span.category != Category::round || span.begin < after || span.end > before) continue;
        if (!found) found = Stretch{span.begin, span.end};
        found->end = std::max(found->end, span.end);
    }
    return found;
}

/// The stretch in which the tasks of a block ran.
std::optional<Stretch> executions_of(const profile::Trace& trace, std::uint32_t block) {
    std::optional<Stretch> stretch;
    bool device = false;
    for (const profile::Lane& lane : trace.lanes) {
        device |= lane.kind == profile::LaneKind::device || lane.kind == profile::LaneKind::wave;
        for (const Span& span : lane.spans)
            if (span.category == Category::message && span.block == block) {
                if (!stretch) stretch = Stretch{span.begin, span.end};
                stretch->begin = std::min(stretch->begin, span.begin);
                stretch->end = std::max(stretch->end, span.end);
            }
    }
    // On the host alone they are all there is; the rounds may have begun with earlier blocks.
    if (stretch && !device) return stretch;
    if (const auto rounds = stretch_of(trace, block)) {
        if (!stretch) stretch = rounds;
        // A device's part may enclose what the host did.
        stretch->begin = std::min(stretch->begin, rounds->begin);
        stretch->end = std::max(stretch->end, rounds->end);
    }
    return stretch;
}

/// From the block's own task numbers to those of the index.
std::unordered_map<std::uint32_t, TaskId> numbers(const conflict::ConflictIndex& index) {
    std::unordered_map<std::uint32_t, TaskId> found;
    found.reserve(index.tasks());
    for (TaskId task = 0; task < index.tasks(); ++task)
        found.emplace(index.trace->task_in_block(task), task);
    return found;
}

/// The lowest task of each task's transaction.
std::vector<TaskId> first_tasks(const conflict::ConflictIndex& index) {
    std::vector<TaskId> first(index.tasks());
    std::unordered_map<std::uint32_t, TaskId> of;
    const auto& transaction = index.trace->transaction;
    for (TaskId task = 0; task < index.tasks(); ++task)
        first[task] =
            transaction.empty() ? task : of.try_emplace(transaction[task], task).first->second;
    return first;
}

/// Executions of tasks as slots. On a device an execution comes in pieces, one per slice: those of
/// one batch are one execution, from the first start to the last end, on the lane of the first.
class Executions {
public:
    Executions(const profile::Trace& trace, schedule::Schedule& schedule) : schedule_(schedule) {
        for (const profile::Lane& lane : trace.lanes)
            for (const Span& span : lane.spans)
                if (lane.kind == profile::LaneKind::driver && span.category == Category::batch)
                    batches_.push_back(span.begin);
        std::sort(batches_.begin(), batches_.end());
    }

    void add(const Span& span, profile::LaneKind lane, const schedule::Slot& slot) {
        if (lane != profile::LaneKind::wave) return schedule_.slots.push_back(slot);
        const auto batch = std::upper_bound(batches_.begin(), batches_.end(), span.begin);
        const auto [at, fresh] =
            pieces_.try_emplace({slot.task, batch - batches_.begin()}, schedule_.slots.size());
        if (fresh) return schedule_.slots.push_back(slot);
        schedule::Slot& whole = schedule_.slots[at->second];
        if (slot.start < whole.start) whole.start = slot.start, whole.worker = slot.worker;
        whole.end = std::max(whole.end, slot.end);
    }

private:
    schedule::Schedule& schedule_;
    std::vector<Nanoseconds> batches_; ///< when they began, ascending
    std::map<std::pair<TaskId, std::ptrdiff_t>, std::size_t> pieces_; ///< to slots
};

/// Of all executions of a task the last one counts.
std::uint64_t mark_aborted(schedule::Schedule& schedule) {
    std::unordered_map<TaskId, std::size_t> last;
    for (std::size_t i = 0; i < schedule.slots.size(); ++i) {
        const auto [at, fresh] = last.try_emplace(schedule.slots[i].task, i);
        if (!fresh && schedule.slots[i].start >= schedule.slots[at->second].start) at->second = i;
    }
    std::uint64_t aborted = 0;
    for (std::size_t i = 0; i < schedule.slots.size(); ++i) {
        schedule.slots[i].aborted = last[schedule.slots[i].task] != i;
        aborted += schedule.slots[i].aborted;
    }
    return aborted;
}

} // namespace

std::optional<Nanoseconds> executions_begin(const profile::Trace& trace, std::uint64_t height) {
    const auto at = std::find(trace.heights.begin(), trace.heights.end(), height);
    if (at == trace.heights.end()) return std::nullopt;
    const auto found = executions_of(trace, static_cast<std::uint32_t>(at - trace.heights.begin()));
    return found ? std::optional(found->begin) : std::nullopt;
}

Result<MeasuredSchedule> measured_schedule(const profile::Trace& trace, std::uint64_t height,
                                           const conflict::ConflictIndex& index,
                                           std::string_view strategy, const KeptAborts* aborts) {
    const auto at = std::find(trace.heights.begin(), trace.heights.end(), height);
    if (at == trace.heights.end())
        return Error{ErrorCode::bad_input,
                     fmt::format("spans: expected block {}, found none of it", height)};
    const auto block = static_cast<std::uint32_t>(at - trace.heights.begin());
    const auto task_of = numbers(index);

    const auto stretch = executions_of(trace, block);
    if (!stretch)
        return Error{
            ErrorCode::bad_input,
            fmt::format("spans: expected executions of block {}, found none{}", height,
                        trace.dropped == 0 ? "" : ": some spans were dropped for lack of memory")};

    MeasuredSchedule made;
    made.stands_under = first_tasks(index);
    schedule::Schedule& schedule = made.schedule;
    schedule.strategy =
        strategy == "levels" ? schedule::Strategy::levels : schedule::Strategy::optimistic;
    const auto since = [&](Nanoseconds time) {
        return static_cast<std::uint64_t>(std::max<Nanoseconds>(0, time - stretch->begin));
    };
    Executions executions(trace, schedule);
    for (std::size_t at_lane = 0; at_lane < trace.lanes.size(); ++at_lane) {
        const profile::Lane& lane = trace.lanes[at_lane];
        const auto number = static_cast<std::uint32_t>(made.lanes.size());
        bool used = lane.kind == profile::LaneKind::worker;
        std::uint32_t submissions = 0; // of versions that did not number them
        for (const Span& span : lane.spans) {
            if (lane.kind != profile::LaneKind::driver && span.category == Category::message &&
                span.block == block) {
                const auto task = task_of.find(span.task);
                if (task == task_of.end()) continue; // a host task, or one that was left out
                executions.add(span, lane.kind,
                               {task->second, number, since(span.begin), since(span.end), false});
                used = true;
            } else if (lane.kind == profile::LaneKind::device && span.category == Category::slice &&
                       span.begin >= stretch->begin && span.end <= stretch->end) {
                DeviceBar bar{number, since(span.begin), since(span.end), 0, span.detail, {}};
                if (span.name < trace.names.size()) bar.name = trace.names[span.name];
                if (bar.name == "upload") ++submissions;
                bar.submission =
                    span.task != profile::none ? span.task : std::max(submissions, 1U) - 1;
                made.device.push_back(std::move(bar));
                used = true;
            }
        }
        if (used) made.lanes.push_back(title_of(trace, at_lane));
    }
    schedule.workers = static_cast<std::uint32_t>(made.lanes.size());
    std::sort(schedule.slots.begin(), schedule.slots.end(), [](const auto& a, const auto& b) {
        return std::pair(a.start, a.worker) < std::pair(b.start, b.worker);
    });
    for (const schedule::Slot& slot : schedule.slots)
        schedule.makespan = std::max(schedule.makespan, slot.end);
    for (const DeviceBar& bar : made.device)
        schedule.makespan = std::max(schedule.makespan, bar.end);
    for (const schedule::Slot& slot : schedule.slots) made.stands_under[slot.task] = slot.task;
    made.executions = schedule.slots.size();
    made.aborted = mark_aborted(schedule);
    if (aborts != nullptr && aborts->attempts != nullptr)
        for (const KeptAbort& each : *aborts->attempts) {
            schedule::RecordedAbort& to = made.aborts.emplace_back();
            to.transaction = each.transaction;
            to.reason = each.reason;
            to.key = each.key;
            if (each.writer) to.writer = each.writer->second;
            if (each.writer && each.writer->first != height) to.writer_height = each.writer->first;
            if (each.at) to.at = since(*each.at);
        }
    return made;
}

MeasuredSchedule stacked(std::span<const MeasuredSchedule> schedules) {
    MeasuredSchedule all;
    for (const MeasuredSchedule& one : schedules) {
        if (all.lanes.empty()) {
            all = one;
            continue;
        }
        all.lanes.emplace_back();
        const auto first = static_cast<std::uint32_t>(all.lanes.size());
        all.lanes.insert(all.lanes.end(), one.lanes.begin(), one.lanes.end());
        for (schedule::Slot slot : one.schedule.slots) {
            slot.worker += first;
            all.schedule.slots.push_back(slot);
        }
        for (DeviceBar bar : one.device) {
            bar.lane += first;
            all.device.push_back(std::move(bar));
        }
        all.schedule.makespan = std::max(all.schedule.makespan, one.schedule.makespan);
        all.executions += one.executions;
        all.aborted += one.aborted;
    }
    all.schedule.workers = static_cast<std::uint32_t>(all.lanes.size());
    std::sort(all.schedule.slots.begin(), all.schedule.slots.end(),
              [](const auto& a, const auto& b) {
                  return std::pair(a.start, a.worker) < std::pair(b.start, b.worker);
              });
    std::sort(all.device.begin(), all.device.end(),
              [](const DeviceBar& a, const DeviceBar& b) { return a.start < b.start; });
    return all;
}

Result<std::vector<std::uint64_t>> measured_costs(const conflict::ConflictIndex& index,
                                                  const MeasuredSchedule& measured) {
    std::vector<std::uint64_t> time(index.tasks()), sharing(index.tasks()), costs(index.tasks());
    std::vector<bool> has_time(index.tasks());
    for (const schedule::Slot& slot : measured.schedule.slots)
        if (!slot.aborted) time[slot.task] = slot.end - slot.start, has_time[slot.task] = true;
    for (const TaskId first : measured.stands_under) ++sharing[first];
    std::uint64_t without = 0;
    for (TaskId task = 0; task < index.tasks(); ++task) {
        const TaskId first = measured.stands_under[task];
        without += !has_time[first];
        // Anything that ran took some time.
        costs[task] =
            std::max<std::uint64_t>(1, time[first] / std::max<std::uint64_t>(1, sharing[first]));
    }
    if (without != 0)
        return Error{ErrorCode::bad_input,
                     fmt::format("{} of {} tasks have no measured time of their own: a device ran "
                                 "them together",
                                 without, index.tasks())};
    return costs;
}

Result<schedule::BlockAnalysis> with_measured_costs(const schedule::BlockAnalysis& analysis,
                                                    const MeasuredSchedule& measured,
                                                    std::stop_token stop) {
    const conflict::ConflictIndex& index = *analysis.index;
    const auto costs = measured_costs(index, measured);
    if (!costs) return costs.error();
    auto trace = std::make_shared<trace::BlockTrace>(*index.trace->original);
    trace->cost.assign(trace->tasks(), 1);
    trace->cost_unit = trace::CostUnit::measured_ns;
    for (TaskId task = 0; task < index.tasks(); ++task)
        trace->cost[index.trace->task_in_block(task)] = (*costs)[task];
    schedule::AnalysisOptions options = analysis.options;
    options.use_cost = true;
    options.colouring.reset();
    options.workers.clear();
    options.hot_keys = 0;
    return schedule::analyse(std::move(trace), options, std::move(stop));
}

} // namespace blockloom::runs
