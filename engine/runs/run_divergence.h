// The first place at which two kept runs differ: their block again, in both ways, with what the
// host was asked.
#pragma once

#include "compute/provider.h"
#include "runs/block_divergence.h"
#include "runs/run_comparison.h"

#include <functional>
#include <string>
#include <vector>

namespace blockloom::runs {

/// How the block is to be executed again.
struct DivergencePlan {
    std::vector<std::string> sources; ///< instead of those that run A names; empty: those
    /// Workspaces with the state before the first block, of each side; empty: none.
    std::string workspace_a, workspace_b;
    std::shared_ptr<alkanes::Contracts> contracts{}; ///< compiled ones, to share; null: own ones
    /// Opens the device of a run that had one; empty: such a run is replayed on the CPU, and that
    /// is said. Error: the device is not here, the same.
    std::function<Result<std::shared_ptr<compute::Provider>>(const KeptRun&)> device{};
};

struct RunDivergence {
    std::uint64_t height = 0;
    std::string hash;                        ///< of the block, as its chain prints it
    std::string kept_a, kept_b;              ///< digests of the block, as the runs say
    std::string again_a, again_b;            ///< as it came out now
    std::optional<BlockDivergence> in_block; ///< absent: both came out the same now
    std::vector<std::string> lines;          ///< all of it in words, the place first
};

/// Opens the device that a run had, by the settings of this machine. Error: it is not here.
[[nodiscard]] Result<std::shared_ptr<compute::Provider>> open_device_of(const KeptRun& run);

/// The workspace that a run's document names; empty: its state was in memory.
[[nodiscard]] std::string workspace_of(std::string_view document);

/// Replays the blocks up to the first whose digests differ, as each run did, that block serially
/// for a run of the CPU, and looks for the place. Commits nothing. Error `wrong_usage`: the runs do
/// not differ. Error `bad_input`: the runs are not of the same inputs, or the sources have other
/// blocks.
[[nodiscard]] Result<RunDivergence> find_divergence(const KeptRun& a, const KeptRun& b,
                                                    const DivergencePlan& plan,
                                                    ProgressSink& progress,
                                                    const std::stop_token& stop);

/// What `find_divergence` says of a divergence: transaction, host call, key and values,
/// instruction.
[[nodiscard]] std::vector<std::string> divergence_lines(const BlockDivergence& divergence);

} // namespace blockloom::runs
