// A block before, during and after a replay: where it is read from, its decoded messages, and the
// result of executing them.
#pragma once

#include "alkanes/block_execution.h"
#include "chain/block_source.h"
#include "conflict/conflict_index.h"
#include "execute/block_rounds.h"
#include "execute/phases.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace blockloom::execute {

/// A block to replay, and where else it can be read if the first copy is damaged.
struct ReplaySource {
    chain::BlockRef block;
    std::optional<std::uint64_t> height; ///< from the order of the blocks
    std::vector<chain::BlockRef> copies;
};

/// Immutable once made.
struct ReplayedBlock {
    std::string source;
    std::shared_ptr<const alkanes::BlockContext> context;
    std::shared_ptr<const alkanes::BlockExecution> execution;
    /// The same, while its digest is still to be made (Replayer::analyse); null: it is there.
    std::shared_ptr<alkanes::BlockExecution> without_digest;
    std::shared_ptr<const trace::BlockTrace> trace;       ///< null if not requested
    std::shared_ptr<const conflict::ConflictIndex> index; ///< of the trace, without a policy
    std::shared_ptr<const trace::BlockTrace> estimated_trace;
    std::optional<alkanes::SetDifference> estimated; ///< true compared with estimated sets
    Phases phases;      ///< those of a block window are distributed by the number of tasks that ran
    BlockRounds rounds; ///< how the strategy executed it
    std::vector<std::string> notes; ///< lines for the log
    std::optional<bool> verified;   ///< absent: not requested
    std::string difference;         ///< the first difference, if verification failed
    std::shared_ptr<alkanes::Contracts>
        contracts;                 ///< the contracts that ran, for re-executing a message
    bool committed = false;        ///< to a workspace, by this run
    bool committed_before = false; ///< was already committed and executed again

    [[nodiscard]] const chain::Block& block() const noexcept { return *context->block; }
    [[nodiscard]] std::uint64_t height() const noexcept { return execution->height; }
};

/// The blocks of a block window. Stages of theirs run as tasks.
using ExecutedBlocks = std::vector<std::shared_ptr<ReplayedBlock>>;

/// A block whose messages are decoded, before it is executed.
struct OpenedBlock {
    ReplayedBlock replayed; ///< without context and execution
    alkanes::BlockContext context;
};

} // namespace blockloom::execute
