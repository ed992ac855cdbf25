// The first place at which two kept runs differ: their block is executed again in both ways, with
// all host calls recorded.
#pragma once

#include "compute/provider.h"
#include "range/range.h"
#include "runs/block_divergence.h"
#include "runs/run_comparison.h"

#include <functional>
#include <string>
#include <vector>

namespace blockloom::runs {

/// How the block is executed again.
struct DivergencePlan {
    std::vector<std::string> sources; ///< empty: those that run A names
    /// Workspaces with the state before the first block, for each side; empty: none.
    std::string workspace_a, workspace_b;
    range::StateSource state_a{}, state_b{}; ///< instead of the workspace, if it is given
    node::NodeAccess nodes = range::RangeOptions().nodes; ///< of sources that are nodes
    std::shared_ptr<alkanes::Contracts> contracts{}; ///< compiled contracts to share; null: none
    /// Opens the device of a run that had one. Empty, or an error (the device is unavailable): such
    /// a run is replayed on the CPU, and a line says so.
    std::function<Result<std::shared_ptr<compute::Provider>>(const KeptRun&)> device{};
};

struct RunDivergence {
    std::uint64_t height = 0;
    std::string hash;                        ///< of the block, as its chain prints it
    std::string kept_a, kept_b;              ///< digests of the block, as recorded
    std::string again_a, again_b;            ///< as executed now
    std::optional<BlockDivergence> in_block; ///< absent: both results are equal now
    std::vector<std::string> lines;          ///< the whole in words, the place first
};

/// Opens the device of a run by the settings of this machine. Error: it is unavailable.
[[nodiscard]] Result<std::shared_ptr<compute::Provider>> open_device_of(const KeptRun& run);

/// The workspace named in a run's document; empty: its state was in memory.
[[nodiscard]] std::string workspace_of(std::string_view document);

/// Replays the blocks up to the first whose digests differ and finds the place. That block is
/// executed as each run did, serially for a run on the CPU. Commits nothing. Error `wrong_usage`:
/// the runs do not differ. Error `bad_input`: the runs have different inputs, or the sources have
/// other blocks.
[[nodiscard]] Result<RunDivergence> find_divergence(const KeptRun& a, const KeptRun& b,
                                                    const DivergencePlan& plan,
                                                    ProgressSink& progress,
                                                    const std::stop_token& stop);

/// A divergence in words: transaction, host call, key and values, instruction.
[[nodiscard]] std::vector<std::string> divergence_lines(const BlockDivergence& divergence);

} // namespace blockloom::runs
