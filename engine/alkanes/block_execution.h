// A block executed in order, one transaction after the other: the serial reference.
#pragma once

#include "alkanes/fuel_tank.h"
#include "alkanes/transaction.h"
#include "base/progress.h"
#include "state/change_list.h"

#include <string>

namespace blockloom::alkanes {

struct BlockExecution {
    std::uint64_t height = 0;
    Hash256 hash{};
    std::vector<TransactionResult> transactions; ///< in block order, without empty ones
    std::vector<std::uint64_t> budgets;          ///< one per entry of `transactions`
    state::ChangeList changes;                   ///< sorted by key
    Hash256 digest{};                            ///< of `changes`
    std::uint64_t tasks = 0, messages = 0, succeeded = 0, host_tasks = 0;
    std::uint64_t fuel = 0, steps = 0;            ///< over all messages, failed ones too
    std::uint64_t interpreted = 0, on_device = 0; ///< of the messages
    std::uint64_t fuel_uncertain = 0;             ///< tasks with a MessageRecord::fuel_doubt
    std::string fuel_doubt;                       ///< the first of these
    std::uint32_t candidates = 0, demoted = 0;
};

/// For callers that run a block's transactions themselves: an execution without transactions; then
/// one more in block order, with the budget from the tank (empty ones are left out); finally the
/// changes and the digest.
[[nodiscard]] BlockExecution begin_execution(const BlockContext& context);
void append(BlockExecution& block, TransactionResult result, std::uint64_t budget);
Status finish_execution(BlockExecution& block, const state::BlockState& after);

/// For callers that put results in place on several threads: counts a result; adds the counts of
/// one part to the whole; finally the changes, sorted by key, and their digest.
void count(BlockExecution& block, const TransactionResult& result);
void add_counts(BlockExecution& block, const BlockExecution& part);
void finish_execution(BlockExecution& block, state::ChangeList changes);

/// The size by which a transaction gets its share of the fuel tank; 0 if it gets none.
[[nodiscard]] std::uint64_t vfsize_of(const BlockContext& context, std::uint32_t transaction);

/// Notified of every transaction that is executed, by its index in the block.
class TransactionWatch {
public:
    virtual ~TransactionWatch() = default;
    virtual void begins(std::uint32_t transaction) = 0;
    virtual void ended(std::uint32_t transaction, const Result<TransactionResult>& result) = 0;
};

/// Executes the block's transactions, each on the state that those before it left, with the true
/// fuel budgets. `progress` counts transactions; `watch` may be null. Commits nothing.
[[nodiscard]] Result<BlockExecution> execute_block(Runtime& runtime, const BlockContext& context,
                                                   const state::StateView& before,
                                                   const TransactionOptions& options,
                                                   ProgressSink& progress,
                                                   TransactionWatch* watch = nullptr);

/// Executes each transaction alone on the state before the block, with a likely budget, as a dry
/// run: what it would access without the others. Access sets made from it are estimated and must be
/// labelled so. `changes`, `digest` and the figures of the state stay empty.
[[nodiscard]] Result<BlockExecution> estimate_block(Runtime& runtime, const BlockContext& context,
                                                    const state::StateView& before,
                                                    const TransactionOptions& options,
                                                    ProgressSink& progress);

/// How estimated sets differ from the true ones, over the tasks that both have.
struct SetDifference {
    std::uint64_t tasks = 0, equal_tasks = 0; ///< equal: the same keys read and written
    std::uint64_t missing = 0;                ///< accesses that only the true sets have
    std::uint64_t surplus = 0;                ///< accesses that only the estimated sets have
};
[[nodiscard]] SetDifference compare_sets(const BlockExecution& truth,
                                         const BlockExecution& estimate);

} // namespace blockloom::alkanes
