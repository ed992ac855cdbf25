// A block before, during and after a replay: where it is read, its decoded messages, and the
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

/// A block to replay, and where else it can be read if the first copy is broken.
struct ReplaySource {
    chain::BlockRef block;
    std::optional<std::uint64_t> height; ///< as the order of the blocks tells it
    std::vector<chain::BlockRef> copies;
};

/// Immutable once made.
struct ReplayedBlock {
    std::string source;
    std::shared_ptr<const alkanes::BlockContext> context;
    std::shared_ptr<const alkanes::BlockExecution> execution;
    std::shared_ptr<const trace::BlockTrace> trace;       ///< null where none was asked for
    std::shared_ptr<const conflict::ConflictIndex> index; ///< of the trace, nothing left out
    std::shared_ptr<const trace::BlockTrace> estimated_trace;
    std::optional<alkanes::SetDifference> estimated; ///< true sets against estimated ones
    Phases phases;                  ///< a window's are shared out by the tasks that ran
    BlockRounds rounds;             ///< how the strategy came to it
    std::vector<std::string> notes; ///< what is worth a line in the log
    std::optional<bool> verified;   ///< absent: not asked for
    std::string difference;         ///< the first, where it is not verified
    std::shared_ptr<alkanes::Contracts> contracts; ///< what ran, to run a message again
    bool committed = false;                        ///< to a workspace, by this run
    bool committed_before = false;                 ///< executed again, beside what is committed

    [[nodiscard]] const chain::Block& block() const noexcept { return *context->block; }
    [[nodiscard]] std::uint64_t height() const noexcept { return execution->height; }
};

/// A block whose messages are decoded, before it is executed.
struct OpenedBlock {
    ReplayedBlock replayed; ///< without context and execution
    alkanes::BlockContext context;
};

} // namespace blockloom::execute
