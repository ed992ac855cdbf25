// Which attempts of a block window had to be repeated, and why.
#pragma once

#include "alkanes/block_execution.h"
#include "execute/acceptance.h"
#include "execute/block_rounds.h"
#include "execute/round_strategy.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace blockloom::execute {

/// Enters aborted attempts into the rounds of their blocks. A rejected execution is entered when it
/// is repeated: it may hold again by then. Costs one pass over the verdicts of a check as long as
/// nothing is rejected. For the driver.
class AbortLog {
public:
    /// All of them must outlive this object.
    AbortLog(std::span<const std::shared_ptr<const alkanes::BlockContext>> contexts,
             const std::vector<WindowTask>& tasks, std::vector<BlockRounds>& rounds);
    ~AbortLog();

    /// Remembers why the check after `round` rejected what it rejected. `executions`, by task:
    /// those that it checked.
    void note_rejected(const AcceptanceCheck& check,
                       std::span<const std::unique_ptr<ExecutionResult>> executions,
                       const Round& round, WorkerPool& pool);

    /// The latest execution of a task is about to be repeated.
    void repeated(std::uint32_t task, const ExecutionResult& execution);
    /// The same in block order, where it does not hold on the state before it. `made`: the blocks
    /// that are complete, `now`: the one that the task is of.
    Status repeated_in_order(std::uint32_t task, const ExecutionResult& execution,
                             const state::StateView& before,
                             std::span<const alkanes::BlockExecution> made,
                             const alkanes::BlockExecution& now);

    /// An attempt that was aborted before any check.
    struct Aborted {
        std::uint32_t task = 0;
        trace::AbortReason reason = trace::AbortReason::estimate;
        std::uint32_t executions = 0; ///< tasks
        std::string key{};
        std::uint32_t writer = Rejection::nobody; ///< a task of the block window
        Nanoseconds at = 0;
    };
    void add(Aborted aborted);

private:
    /// Of a task's latest execution.
    struct Rejected {
        explicit Rejected(std::uint32_t of) : task(of) {}

        std::uint32_t task;
        bool holds_again = false; ///< at a later check
        trace::AbortReason reason = trace::AbortReason::outdated_read;
        std::string key;
        std::uint32_t writer = Rejection::nobody;
        Nanoseconds at = 0;
    };
    class Writers;

    [[nodiscard]] Rejected* rejected(std::uint32_t task) noexcept;
    [[nodiscard]] AbortedAttempt::Writer writer_of(std::uint32_t task) const;
    void enter(std::uint32_t task, AbortedAttempt attempt);

    std::span<const std::shared_ptr<const alkanes::BlockContext>> contexts_;
    const std::vector<WindowTask>& tasks_;
    std::vector<BlockRounds>& rounds_;
    std::vector<std::uint32_t> place_of_; ///< by task: in `rejected_`, from 1; 0: none
    std::vector<Rejected> rejected_;
    std::unique_ptr<Writers> writers_; ///< null: nothing was repeated in block order
};

} // namespace blockloom::execute
