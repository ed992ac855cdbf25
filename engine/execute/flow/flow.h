// Tasks of a round that run one by one, each when it may, without a barrier: the interface between
// a strategy that orders them, the window that they belong to, and the workers.
#pragma once

#include "execute/execution_result.h"
#include "execute/executor.h"
#include "execute/rejection.h"

#include <cstdint>
#include <memory>
#include <span>

namespace blockloom::execute {

class Recording;
class WorkerPool;

/// A round's tasks, by their place in it. Called by any worker.
class FlowRound {
public:
    virtual ~FlowRound() = default;

    /// The task's number in the block window.
    [[nodiscard]] virtual std::uint32_t task(std::uint32_t place) const noexcept = 0;
    /// The attempt to run a task on `view`, which must outlive it.
    [[nodiscard]] virtual Attempt attempt(std::uint32_t place, const state::StateView& view) = 0;
    /// All tasks of the window before this one have run, or keep their execution: gives it the
    /// budget that they leave. One call at a time, in ascending order.
    virtual void settle(std::uint32_t place) = 0;
    /// Takes an attempt's result, which has no probes yet; null: an error, after which the round is
    /// to end. An earlier result of the same task stays readable until the round ends.
    [[nodiscard]] virtual const ExecutionResult* take(unsigned worker, std::uint32_t place,
                                                      Result<Attempted> attempted) = 0;
    /// The task's latest attempt is to be repeated, or ended without a result: why. Before its next
    /// attempt begins.
    virtual void aborted(unsigned /*worker*/, std::uint32_t /*place*/, const Rejection& /*why*/) {}
    /// Makes the probes of the task's latest result. `on_start`: all that the task read was of the
    /// state below the round. False: an error, after which the round is to end.
    [[nodiscard]] virtual bool make_probes(std::uint32_t place, bool on_start) = 0;
};

/// What a flow starts from.
struct FlowStart {
    FlowRound& round;
    std::uint32_t tasks; ///< of the round
    /// The accepted state below the round's first task.
    const state::StateView& below;
    std::uint32_t accepted; ///< all tasks before this one are in `below`
    /// By task of the window: what ran in earlier rounds; null: it did not.
    std::span<const std::unique_ptr<ExecutionResult>> executions;
    WorkerPool& pool;
    Recording* recording = nullptr; ///< of what workers wait for; null: nothing is recorded
};

/// Decides which of a round's tasks each worker runs next.
class Flow : public AttemptSource {
public:
    virtual void begin(const FlowStart& start) = 0;
    /// Every task has run, or keeps the execution of an earlier round.
    [[nodiscard]] virtual bool is_complete() const noexcept = 0;
    /// The tasks run one after the other.
    [[nodiscard]] virtual bool is_block_order() const noexcept { return false; }
};

} // namespace blockloom::execute
