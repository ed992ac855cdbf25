// What a block window runs next: the interface of the strategies that run in rounds
// (docs/execution.md#what-is-tried).
#pragma once

#include "execute/acceptance.h"
#include "execute/executor.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace blockloom::execute {

class Flow;
class PredictedValues;
class WorkerPool;

/// A transaction of a block window.
struct WindowTask {
    std::uint32_t block = 0;       ///< in the window
    std::uint32_t transaction = 0; ///< in its block
    bool candidate = true;         ///< may run before its turn
};

/// A block window between two rounds. Everything is indexed by task.
struct WindowNow {
    std::span<const std::shared_ptr<const alkanes::BlockContext>> contexts; ///< by block
    std::span<const WindowTask> tasks;
    std::span<const std::unique_ptr<ExecutionResult>> executions; ///< the latest of each, or null
    std::span<const FuelClaim> claims;                            ///< of those executions
    const Tanks& tanks;                                           ///< by block, full
    const state::StateView& before;                               ///< the state before the window
    const AcceptanceCheck* check; ///< of those executions; null: no round has run
    std::uint32_t accepted;       ///< all before this one are accepted
    double width;                 ///< Executor::width
    bool one_by_one;              ///< Executor::runs_sources: a round may be a flow
    WorkerPool& pool;             ///< for the strategy's own work
    // Since the first round:
    Nanoseconds wall = 0;     ///< pauses excluded
    Executor::Busy busy = {}; ///< of workers with attempts
};

/// The next round: tasks that are not accepted, ascending.
struct Round {
    std::vector<std::uint32_t> tasks;
    /// Values that some of them are given instead of those of the versions, and their budgets;
    /// null: none. Must outlive the round.
    const PredictedValues* predicted = nullptr;
    /// The budget of each of `tasks`, if `predicted` is null; empty: those that the versions leave.
    std::vector<std::uint64_t> budgets;
    /// Orders the tasks, which run one by one, or keep the execution that they have; null: they run
    /// as batches. Only if WindowNow::one_by_one, and without `predicted`. Must outlive the round.
    Flow* flow = nullptr;
    std::string note; ///< for the log; empty: none
};

/// Decides which tasks run next, and on which values. No decision can change a result: the
/// acceptance check validates whatever a round made.
class RoundStrategy {
public:
    virtual ~RoundStrategy() = default;

    /// The next round, in `round`, which is empty. False: the rest runs in block order.
    [[nodiscard]] virtual bool next(const WindowNow& now, Round& round) = 0;

    /// How a window went, from its first round to its last acceptance.
    struct Outcome {
        Nanoseconds wall = 0; ///< pauses excluded
        Executor::Busy busy;
        std::uint64_t gas = 0; ///< of its successful messages
    };
    virtual void finished(const Outcome& /*outcome*/) {}
    /// For a strategy that chooses another one: which for this block of the window, and why. Empty:
    /// it does not.
    [[nodiscard]] virtual std::string choice(std::uint32_t /*block*/) const { return {}; }
};

} // namespace blockloom::execute
