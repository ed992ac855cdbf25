// A range of blocks, replayed on a workspace or on a state that is dropped afterwards.
#pragma once

#include "execute/junction.h"
#include "execute/replayer.h"
#include "store/workspace.h"

#include <functional>
#include <span>

namespace blockloom::execute {

/// Receives each block as it is done, in order. An error ends the replay; what was committed stays.
/// So does a block that differs from its serial execution (ErrorCode::verification, where
/// `ReplayOptions::verify` asks for it): it is not committed.
using BlockDone = std::function<Status(const std::shared_ptr<const ReplayedBlock>&)>;

/// A block that could not be replayed and was left out.
struct SkippedBlock {
    std::string source, reason;
};

struct ReplaySummary {
    std::uint64_t committed = 0;         ///< blocks that this run added to the workspace
    std::uint64_t again = 0;             ///< blocks that were committed before and executed again
    std::uint64_t skipped_committed = 0; ///< blocks before the one at which the run continued
    std::uint64_t undone = 0;            ///< blocks of another branch, taken back first
    std::vector<SkippedBlock> left_out;
    std::optional<Hash256> state_digest; ///< of the state after the last block
    Nanoseconds wall = 0;                ///< without the digest of the whole state
};

/// What a replay into a workspace may do besides adding blocks to its chain.
struct JoinOptions {
    Beginning beginning; ///< of the first block
    /// Take blocks back for a branch that ends no higher, or that has no committed block in common.
    bool switch_branch = false;
};

/// Where a replay of these blocks continues.
struct StartingPoint {
    std::size_t first = 0; ///< index of the first block to execute
    std::uint64_t undone = 0;
    bool again = false; ///< all are committed: they are executed beside what is committed
};

/// Compares the blocks with those committed; where a part is committed the run continues after it.
/// Committed blocks are taken back for a longer branch that leaves them at a committed block; for
/// any other one only with `switch_branch`. Fails where the parent of the next block is not there.
[[nodiscard]] Result<StartingPoint> find_start(std::span<const ReplaySource> blocks,
                                               store::Workspace& workspace,
                                               const JoinOptions& join);

/// Replays into a workspace, one atomic commit a block. A block whose parent was not executed
/// before it ends the replay. `keep_going` leaves out blocks that cannot be read, and those that
/// have no parent then. Where everything is committed already, the blocks are executed again on the
/// state before them and their digests are compared with the committed ones (`verified`).
[[nodiscard]] Result<ReplaySummary>
replay_into(store::Workspace& workspace, std::span<const ReplaySource> blocks,
            const ReplayOptions& options, bool keep_going, const BlockDone& done,
            ProgressSink& progress, const std::stop_token& stop, const JoinOptions& join = {});

/// Replays on `before`, the state below the first block, and keeps nothing. The state digest is
/// given where `before` is empty, that is, null.
[[nodiscard]] Result<ReplaySummary> replay_on(const state::StateView* before,
                                              std::span<const ReplaySource> blocks,
                                              const ReplayOptions& options, bool keep_going,
                                              const BlockDone& done, ProgressSink& progress,
                                              const std::stop_token& stop);

} // namespace blockloom::execute
