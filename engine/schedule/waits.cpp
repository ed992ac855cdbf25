#include "schedule/waits.h"

#include <algorithm>
#include <map>

namespace blockloom::schedule {
namespace {

/// One task's data from the slots.
struct Found {
    std::optional<Slot> counts;         ///< its execution that counts
    std::optional<Slot> first_attempt;  ///< of the aborted ones
    std::uint64_t last_attempt_end = 0; ///< of the aborted ones
    std::uint32_t aborted = 0;
};

Found find(const Schedule& schedule, TaskId task) {
    Found found;
    for (const Slot& slot : schedule.slots) {
        if (slot.task != task) continue;
        if (!slot.aborted) {
            found.counts = slot;
            continue;
        }
        ++found.aborted;
        if (!found.first_attempt || slot.start < found.first_attempt->start)
            found.first_attempt = slot;
        found.last_attempt_end = std::max(found.last_attempt_end, slot.end);
    }
    return found;
}

/// The execution that counts among `tasks` which ended last, not after `by`.
template <typename Among>
std::optional<Slot> last_of(const Schedule& schedule, std::uint64_t by, const Among& among) {
    std::optional<Slot> last;
    for (const Slot& slot : schedule.slots)
        if (!slot.aborted && slot.end <= by && (!last || slot.end > last->end) && among(slot.task))
            last = slot;
    return last;
}

/// Why a task waits for another one.
struct Why {
    conflict::KeyId key = conflict::no_key;
    std::uint32_t kinds = 0;
};

/// The executions that those of a task depend on, and why.
class Before {
public:
    Before(const ConflictIndex& index, TaskId execution, std::span<const TaskId> stands_under) {
        for (TaskId task = execution; task < index.tasks(); ++task) {
            const bool same =
                stands_under.empty() ? task == execution : stands_under[task] == execution;
            if (!same && stands_under.empty()) break;
            if (!same) continue;
            for (const conflict::Reason& reason : conflict::waits_for(index, task)) {
                const TaskId of = stands_under.empty() ? reason.task : stands_under[reason.task];
                // A key is more informative than program order.
                if (of != execution && (reason.key != conflict::no_key || !why_.contains(of)))
                    why_.insert_or_assign(of, Why{reason.key, reason.kinds});
            }
        }
    }
    [[nodiscard]] bool holds(TaskId execution) const { return why_.contains(execution); }
    [[nodiscard]] Why why(TaskId execution) const { return why_.at(execution); }

private:
    std::map<TaskId, Why> why_;
};

class Cutter {
public:
    Cutter(const Schedule& schedule, TaskWait& wait) : schedule_(schedule), wait_(wait) {}

    /// From where the last part ended to `to`; nothing where that is not later.
    void until(std::uint64_t to, WaitFor reason, std::optional<TaskId> task = {}, Why why = {}) {
        to = std::min(to, wait_.start);
        if (to <= at_) return;
        wait_.parts.push_back({reason, to - at_, task, why.key, why.kinds});
        at_ = to;
    }

    /// Up to `to`: where the worker runs other tasks it is waited for, else nothing is.
    void on_worker(std::uint64_t to, std::uint32_t worker) {
        std::vector<Slot> busy;
        for (const Slot& slot : schedule_.slots)
            if (slot.worker == worker && slot.end > at_ && slot.start < to) busy.push_back(slot);
        std::sort(busy.begin(), busy.end(),
                  [](const Slot& a, const Slot& b) { return a.start < b.start; });
        for (const Slot& slot : busy) {
            until(std::min(slot.start, to), WaitFor::other);
            const bool continues =
                !wait_.parts.empty() && wait_.parts.back().reason == WaitFor::worker;
            const std::uint64_t from = at_;
            until(std::min(slot.end, to), WaitFor::worker, slot.task);
            if (!continues || at_ == from) continue;
            // Neighbours without a gap are one part: what ran last is named.
            const WaitPart last = wait_.parts.back();
            wait_.parts.pop_back();
            wait_.parts.back().length += last.length;
            wait_.parts.back().task = last.task;
        }
        until(to, WaitFor::other);
    }

private:
    const Schedule& schedule_;
    TaskWait& wait_;
    std::uint64_t at_ = 0;
};

} // namespace

std::string_view name_of(WaitFor reason) noexcept {
    switch (reason) {
    case WaitFor::task:
        return "task";
    case WaitFor::attempt:
        return "attempt";
    case WaitFor::barrier:
        return "barrier";
    case WaitFor::worker:
        return "worker";
    case WaitFor::other:
        return "other";
    }
    return "";
}

std::optional<TaskWait> wait_of(const ConflictIndex& index, const Schedule& schedule, TaskId task,
                                std::span<const TaskId> stands_under) {
    if (task >= index.tasks()) return std::nullopt;
    if (!stands_under.empty()) task = stands_under[task];
    const Found found = find(schedule, task);
    if (!found.counts) return std::nullopt;
    TaskWait wait;
    wait.worker = found.counts->worker;
    wait.start = found.counts->start;
    wait.end = found.counts->end;
    wait.aborted = found.aborted;
    Cutter cut(schedule, wait);

    const Before before(index, task, stands_under);
    const std::optional<Slot> last =
        last_of(schedule, wait.start, [&](TaskId other) { return before.holds(other); });
    const Why why = last ? before.why(last->task) : Why();
    if (found.first_attempt) {
        // It did not wait for tasks before its attempt, which was aborted by writes in between.
        cut.on_worker(std::min(found.first_attempt->start, wait.start),
                      found.first_attempt->worker);
        const bool wrote = last && last->end > found.first_attempt->start;
        cut.until(std::max(found.last_attempt_end, wrote ? last->end : 0), WaitFor::attempt,
                  wrote ? std::optional(last->task) : std::nullopt, wrote ? why : Why());
    } else if (last && schedule.strategy != Strategy::optimistic) {
        cut.until(last->end, WaitFor::task, last->task, why);
    }
    if (schedule.strategy == Strategy::levels) {
        const auto lower = [&](TaskId other) {
            return other < index.tasks() && index.level[other] < index.level[task];
        };
        if (const auto barrier = last_of(schedule, wait.start, lower))
            cut.until(barrier->end, WaitFor::barrier, barrier->task);
    }
    cut.on_worker(wait.start, wait.worker);
    return wait;
}

std::vector<AbortedAttempt> aborted_attempts(const ConflictIndex& index, const Schedule& schedule,
                                             TaskId task, std::span<const TaskId> stands_under) {
    std::vector<AbortedAttempt> attempts;
    if (task >= index.tasks()) return attempts;
    if (!stands_under.empty()) task = stands_under[task];
    for (const Slot& slot : schedule.slots)
        if (slot.task == task && slot.aborted)
            attempts.push_back({slot, {}, conflict::no_key, 0, {}});
    if (attempts.empty()) return attempts;
    std::stable_sort(attempts.begin(), attempts.end(),
                     [](const auto& a, const auto& b) { return a.slot.start < b.slot.start; });
    constexpr std::uint32_t raw = 1;
    const Before before(index, task, stands_under);
    for (AbortedAttempt& attempt : attempts) {
        std::optional<Slot> first;
        const auto reads = [&](TaskId other) { return (before.why(other).kinds & raw) != 0; };
        for (const Slot& slot : schedule.slots) {
            if (slot.aborted || slot.end <= attempt.slot.start || !before.holds(slot.task))
                continue;
            if (first && reads(first->task) && !reads(slot.task)) continue;
            if (!first || slot.end < first->end || (reads(slot.task) && !reads(first->task)))
                first = slot;
        }
        if (!first) continue;
        const Why why = before.why(first->task);
        attempt.by = first->task;
        attempt.key = why.key;
        attempt.kinds = why.kinds;
    }
    return attempts;
}

} // namespace blockloom::schedule
