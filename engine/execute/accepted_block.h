// A block whose executions were all accepted, put together: its results in block order, and what it
// changed.
#pragma once

#include "alkanes/block_execution.h"
#include "execute/acceptance.h"
#include "execute/execution_result.h"
#include "execute/worker_pool.h"

#include <memory>
#include <span>

namespace blockloom::execute {

/// Sets the true budget. The assumed one is not recorded: the result says what the true one would
/// have given.
void set_budget(alkanes::TransactionResult& result, std::uint64_t budget);

struct AcceptedBlock {
    alkanes::BlockExecution execution; ///< without the digest of its changes
    std::uint64_t accepted_first = 0;  ///< tasks whose first execution was accepted
};

/// Takes the results out of `executions`, which are those of the block's transactions in order, as
/// `claims` are; what a log wrote stays where it lies in memory. `below`: the state before the
/// block. `pool` null: on this thread; otherwise these are stages of the pool. Equal to appending
/// one after the other. Fails if reading the state fails.
[[nodiscard]] Result<AcceptedBlock>
join_accepted(const alkanes::BlockContext& context,
              std::span<const std::unique_ptr<ExecutionResult>> executions,
              std::span<const FuelClaim> claims, alkanes::FuelTank tank,
              const state::StateView& below, WorkerPool* pool);

/// What all writes together changed of the keys in one of `parts` parts, sorted by key. Parts can
/// be found on several threads, before the results are taken.
[[nodiscard]] Result<std::vector<state::Change>>
changes_of_part(std::span<const std::unique_ptr<ExecutionResult>> executions, std::size_t part,
                std::size_t parts, const state::StateView& below);
/// The same as above, on this thread, with the changes of all parts.
[[nodiscard]] AcceptedBlock
join_accepted(const alkanes::BlockContext& context,
              std::span<const std::unique_ptr<ExecutionResult>> executions,
              std::span<const FuelClaim> claims, alkanes::FuelTank tank,
              std::vector<std::vector<state::Change>> parts);

} // namespace blockloom::execute
