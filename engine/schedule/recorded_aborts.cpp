#include "schedule/recorded_aborts.h"

#include <algorithm>

namespace blockloom::schedule {
namespace {

std::uint32_t transaction_of(const ConflictIndex& index, TaskId task) {
    const auto& transaction = index.trace->transaction;
    return transaction.empty() ? index.trace->task_in_block(task) : transaction[task];
}

/// Of the attempts that executed the transaction to the end, or of the others.
std::vector<RecordedAbort> recorded(const ConflictIndex& index, const MeasuredSchedule& measured,
                                    TaskId task, bool with_result) {
    std::vector<RecordedAbort> found;
    const std::uint32_t transaction = transaction_of(index, task);
    for (const RecordedAbort& each : measured.aborts)
        if (each.transaction == transaction &&
            (!each.reason || has_result(*each.reason)) == with_result)
            found.push_back(each);
    return found;
}

} // namespace

std::vector<AbortedAttempt> aborted_attempts(const ConflictIndex& index,
                                             const MeasuredSchedule& measured, TaskId task) {
    auto attempts = aborted_attempts(index, measured.schedule, task, measured.stands_under);
    if (attempts.empty()) return attempts;
    const auto found = recorded(index, measured, task, true);
    for (AbortedAttempt& attempt : attempts) {
        // It was found out after the attempt had begun, and before the next one did.
        const auto after = std::find_if(found.begin(), found.end(), [&](const RecordedAbort& each) {
            return each.at && *each.at >= attempt.slot.start;
        });
        const bool of_a_later_one =
            after != found.end() && std::any_of(attempts.begin(), attempts.end(), [&](auto& other) {
                return other.slot.start > attempt.slot.start && *after->at >= other.slot.start;
            });
        if (after != found.end() && !of_a_later_one) attempt.recorded = *after;
    }
    return attempts;
}

std::vector<RecordedAbort> aborted_without_result(const ConflictIndex& index,
                                                  const MeasuredSchedule& measured, TaskId task) {
    if (task >= index.tasks()) return {};
    return recorded(index, measured, task, false);
}

std::optional<TaskId> first_task_of(const ConflictIndex& index, std::uint32_t transaction) {
    for (TaskId task = 0; task < index.tasks(); ++task)
        if (transaction_of(index, task) == transaction) return task;
    return std::nullopt;
}

} // namespace blockloom::schedule
