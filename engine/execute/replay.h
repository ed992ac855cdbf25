// Replays a range of blocks into a workspace, or on a state that is discarded afterwards.
#pragma once

#include "execute/junction.h"
#include "execute/replay_summary.h"
#include "execute/replayer.h"
#include "store/workspace.h"

#include <span>

namespace blockloom::execute {

/// How a replay may join the chain of a workspace.
struct JoinOptions {
    Beginning beginning; ///< of the first block
    /// Undo blocks for a branch that ends no higher, or that has no committed block in common.
    bool switch_branch = false;
};

/// Where a replay of given blocks continues.
struct StartingPoint {
    std::size_t first = 0; ///< index of the first block to execute
    std::uint64_t undone = 0;
    bool again = false; ///< all are committed: they are executed again and compared
};

/// Compares the blocks with the committed ones; if some are committed, the run continues after
/// them. Committed blocks are undone for a longer branch that forks off at a committed block; for
/// any other branch only with `switch_branch`. Fails if the parent of the next block is missing.
[[nodiscard]] Result<StartingPoint> find_start(std::span<const ReplaySource> blocks,
                                               store::Workspace& workspace,
                                               const JoinOptions& join);

/// Replays into a workspace, with one atomic commit per block. A block whose parent was not
/// executed before it ends the replay. `keep_going` leaves out blocks that cannot be read, and
/// those that then have no parent. If everything is already committed, the blocks are executed
/// again on the state before them and their digests are compared with the committed ones
/// (`verified`).
[[nodiscard]] Result<ReplaySummary>
replay_into(store::Workspace& workspace, std::span<const ReplaySource> blocks,
            const ReplayOptions& options, bool keep_going, const BlockDone& done,
            ProgressSink& progress, const std::stop_token& stop, const JoinOptions& join = {});

/// Replays on `before`, the state before the first block, and keeps nothing. The state digest is
/// only computed if `before` is null, that is, empty.
[[nodiscard]] Result<ReplaySummary> replay_on(const state::StateView* before,
                                              std::span<const ReplaySource> blocks,
                                              const ReplayOptions& options, bool keep_going,
                                              const BlockDone& done, ProgressSink& progress,
                                              const std::stop_token& stop);

} // namespace blockloom::execute
