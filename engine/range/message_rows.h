// The request and the effects of a message of an executed block, in rows for the Inspector.
#pragma once

#include "execute/message_profile.h"
#include "range/task_details.h"

namespace blockloom::range {

/// A task of an execution: a protostone of tag 1.
struct ExecutedTask {
    const alkanes::TransactionResult* transaction = nullptr;
    std::size_t place = 0; ///< among the tasks of its transaction

    [[nodiscard]] const alkanes::MessageRecord& record() const {
        return transaction->records[place];
    }
    [[nodiscard]] const state::TaskLog& log() const { return transaction->log.tasks[place]; }
};

/// The task with index `task` in the block (not in an analysis, which may leave some out); nothing
/// past the last one.
[[nodiscard]] std::optional<ExecutedTask> executed_task(const alkanes::BlockExecution& execution,
                                                        trace::TaskId task);

/// "succeeded", "reverted", "out of fuel", …
[[nodiscard]] std::string outcome_text(alkanes::CallStatus status);

/// For each task of the block's analysis whether it failed. Null: the block was not executed.
[[nodiscard]] std::shared_ptr<const std::vector<bool>> failed_tasks(const BlockRecord& record);

/// Target, code, inputs, outcome, fuel, memory and tokens. `transaction` in the block.
[[nodiscard]] DetailSection message_section(const execute::ReplayedBlock& block,
                                            const ExecutedTask& task);

/// What was written, before and after, and what was attempted and rolled back. Key rows carry the
/// analysis's ids, if it has the key.
[[nodiscard]] DetailSection writes_section(const BlockRecord& record, conflict::TaskId task,
                                           const ExecutedTask& executed);

/// What was read, with the values, and which counters were only compared with a limit.
[[nodiscard]] DetailSection reads_section(const BlockRecord& record, conflict::TaskId task,
                                          const ExecutedTask& executed);

/// A section that offers to profile the message, as a command. Empty title: no code ran.
[[nodiscard]] DetailSection profile_offer(const ExecutedTask& task);
/// Functions by their own fuel, with its share.
[[nodiscard]] DetailSection profile_section(const execute::MessageProfile& profile);

/// Host calls in the order in which they began, those of nested contracts indented. Empty if the
/// execution recorded none.
[[nodiscard]] DetailSection host_call_section(const ExecutedTask& task);

} // namespace blockloom::range
