// A kept run whose blocks are to be executed again: its sources, its rules and the state before it,
// found again.
#pragma once

#include "execute/replay.h"
#include "range/range.h"
#include "range/sources.h"
#include "range/state_before.h"
#include "runs/kept_run.h"

#include <memory>
#include <string>
#include <vector>

namespace blockloom::runs {

/// Where a kept run's blocks and state are.
struct RunPlaces {
    std::vector<std::string> sources; ///< instead of those that the run names; empty: those
    /// Workspace with the state before the first block; empty: the user's own, or none for a
    /// generated range.
    std::string workspace;
    range::StateSource state{};                           ///< instead of the workspace, if given
    node::NodeAccess nodes = range::RangeOptions().nodes; ///< of sources that are nodes
    std::shared_ptr<alkanes::Contracts> contracts{}; ///< compiled ones, to share; null: own ones
};

struct ReopenedRun {
    std::vector<execute::ReplaySource> blocks; ///< of the sources, the run's among them
    range::StateBefore before;
    execute::ReplayOptions how; ///< network, rules and engine of the run; nothing else
};

/// Error: sources, first block, rules or state are unavailable or changed; the message says which.
[[nodiscard]] Result<std::unique_ptr<ReopenedRun>> reopen_run(const KeptRun& run,
                                                              const RunPlaces& places,
                                                              ProgressSink& progress,
                                                              const std::stop_token& stop);

/// Of `blocks`, those with the hashes of the run's, in its order. Error: one is missing.
[[nodiscard]] Result<std::vector<execute::ReplaySource>>
blocks_of(const KeptRun& run, const std::vector<execute::ReplaySource>& blocks);

/// Error: the state that the run was reopened on has changed since.
[[nodiscard]] Status still_same(const ReopenedRun& again, const std::stop_token& stop);

/// Executes the run's blocks once in block order, with access sets and dependency edges. Error:
/// also if a block's digest is not the run's.
[[nodiscard]] Result<std::vector<std::shared_ptr<const execute::ReplayedBlock>>>
execute_again(const KeptRun& run, const ReopenedRun& again, ProgressSink& progress,
              const std::stop_token& stop);

} // namespace blockloom::runs
