#include "schedule/wait_arrows.h"

#include <optional>

namespace blockloom::schedule {
namespace {

/// The execution of a task that counts.
std::optional<Slot> counting(const Schedule& schedule, TaskId task) {
    for (const Slot& slot : schedule.slots)
        if (slot.task == task && !slot.aborted) return slot;
    return std::nullopt;
}

/// The last execution on a worker that began before `by`; also one that did not count.
std::optional<Slot> last_on(const Schedule& schedule, std::uint32_t worker, TaskId task,
                            std::uint64_t by) {
    std::optional<Slot> last;
    for (const Slot& slot : schedule.slots)
        if (slot.worker == worker && slot.task == task && slot.start < by &&
            (!last || slot.start > last->start))
            last = slot;
    return last;
}

} // namespace

std::vector<WaitArrow> wait_arrows(const Schedule& schedule, const TaskWait& wait) {
    std::vector<WaitArrow> arrows;
    for (const WaitPart& part : wait.parts) {
        if (!part.task) continue;
        const bool busy = part.reason == WaitFor::worker;
        const auto slot = busy ? last_on(schedule, wait.worker, *part.task, wait.start)
                               : counting(schedule, *part.task);
        if (!slot) continue;
        // What occupied the worker is next to the task: its arrow begins in its middle.
        const double at =
            busy ? (static_cast<double>(slot->start) + static_cast<double>(slot->end)) / 2
                 : static_cast<double>(slot->end);
        arrows.push_back({slot->worker, wait.worker, at, static_cast<double>(wait.start), busy});
    }
    return arrows;
}

} // namespace blockloom::schedule
