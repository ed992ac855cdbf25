// What a message of an executed block asked for and did, in rows for the Inspector.
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

/// The task at `task` in the block (not in an analysis, which may leave some out); nothing past the
/// last one.
[[nodiscard]] std::optional<ExecutedTask> executed_task(const alkanes::BlockExecution& execution,
                                                        trace::TaskId task);

/// "succeeded", "reverted", "out of fuel", …
[[nodiscard]] std::string outcome_text(alkanes::CallStatus status);

/// One a task of the block's analysis: it did not succeed. Null: the block was not executed.
[[nodiscard]] std::shared_ptr<const std::vector<bool>> failed_tasks(const BlockRecord& record);

/// Target, code, inputs, outcome, fuel, memory and tokens. `transaction` in the block.
[[nodiscard]] DetailSection message_section(const execute::ReplayedBlock& block,
                                            const ExecutedTask& task);

/// What was written, before and after, and what was tried and rolled back. Rows of keys name the
/// analysis' ids, where it has the key.
[[nodiscard]] DetailSection writes_section(const BlockRecord& record, conflict::TaskId task,
                                           const ExecutedTask& executed);

/// What was read, with the values, and which counters were only compared.
[[nodiscard]] DetailSection reads_section(const BlockRecord& record, conflict::TaskId task,
                                          const ExecutedTask& executed);

/// What profiling would tell, not done yet: a section with a command. Empty title: no code ran.
[[nodiscard]] DetailSection profile_offer(const ExecutedTask& task);
/// Functions by their own fuel, with its share.
[[nodiscard]] DetailSection profile_section(const execute::MessageProfile& profile);

/// Host calls in the order in which they began, those of nested contracts indented. Empty where the
/// execution kept none.
[[nodiscard]] DetailSection host_call_section(const ExecutedTask& task);

} // namespace blockloom::range
