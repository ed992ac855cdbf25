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

/// What all writes together changed of the keys in one of `parts` parts, sorted by key. Parts can
/// be found on several threads, before the results are taken. Fails if reading the state fails.
[[nodiscard]] Result<std::vector<state::Change>>
changes_of_part(std::span<const std::unique_ptr<ExecutionResult>> executions, std::size_t part,
                std::size_t parts, const state::StateView& below);

/// Puts a block together in pieces, on as many threads as there are pieces. Takes the results out
/// of `executions`, which are those of the block's transactions in order, as `claims` are; what a
/// log wrote stays where it lies in memory. Equal to appending one after the other.
class BlockJoin {
public:
    using Changes = std::vector<state::Change>; ///< sorted by key

    BlockJoin(const alkanes::BlockContext& context,
              std::span<const std::unique_ptr<ExecutionResult>> executions,
              std::span<const FuelClaim> claims, alkanes::FuelTank tank);

    /// Makes room. `parts`: what was changed, each key in one of them. At least one piece.
    void begin(std::vector<Changes> parts, std::size_t pieces);
    /// Moves a range of the results and a range of the changes to where they belong.
    void run_piece(std::size_t piece);
    /// After all pieces.
    [[nodiscard]] AcceptedBlock end();

private:
    struct Piece {
        std::vector<std::size_t> from; ///< where its keys begin in each part
        std::size_t first_result = 0;  ///< where its results begin: empty ones are left out
        // What it found.
        alkanes::BlockExecution counts;
        std::uint64_t accepted_first = 0;
    };

    void find_places();
    void take_results(std::size_t piece);
    void merge_changes(std::size_t piece);

    std::span<const std::unique_ptr<ExecutionResult>> executions_;
    std::vector<std::uint64_t> budgets_; ///< by execution
    AcceptedBlock block_;
    std::vector<Changes> parts_;
    std::unique_ptr<state::ChangePieces> merged_; ///< null: a single list only has to be handed on
    std::vector<Piece> pieces_;                   ///< and one past the last
};

/// The same in stages of the pool. `below`: the state before the block.
[[nodiscard]] Result<AcceptedBlock>
join_accepted(const alkanes::BlockContext& context,
              std::span<const std::unique_ptr<ExecutionResult>> executions,
              std::span<const FuelClaim> claims, alkanes::FuelTank tank,
              const state::StateView& below, WorkerPool& pool);

} // namespace blockloom::execute
