// The progress of a run: one form for a run in progress and a kept one, so that a panel shows both
// alike.
#pragma once

#include "execute/live_run.h"
#include "runs/run_figures.h"

namespace blockloom::runs {

struct RunProgress {
    /// A kept run, or what would be kept if the run ended now: without id, blocks and digests.
    KeptRun run;
    bool in_progress = false;
    execute::LiveState state = execute::LiveState::finished;
    std::string held_up; ///< as LiveSnapshot has it
    unsigned repetition = 1, repetitions = 1;
    std::uint64_t blocks_done = 0, blocks_all = 0;
    Nanoseconds elapsed = 0; ///< measured: of the current repetition, or the median
    Nanoseconds paused = 0;  ///< of the whole run
    double tasks_a_second = 0, blocks_a_second = 0;
    std::optional<double> busy_share;         ///< of the workers, 0 … 1; absent: not recorded
    std::uint64_t tried = 0;                  ///< transactions of a run in progress
    std::uint64_t redone = 0;                 ///< executions that were not accepted
    std::uint64_t batches = 0;                ///< of a run in progress; not recorded in a kept run
    std::uint64_t ejected = 0;                ///< executions that a device handed to the host
    execute::LiveWindow window;               ///< of a run in progress
    std::vector<execute::LiveDevice> devices; ///< of a run in progress, or that has just ended
    Breakdown breakdown;                      ///< of the phases so far, without a baseline
    std::vector<execute::LiveStretch> stretches; ///< of finished blocks, at most most_stretches
    std::shared_ptr<const profile::UsageSeries> usage;       ///< null: not recorded
    std::vector<std::pair<Nanoseconds, Nanoseconds>> pauses; ///< that have ended; of a kept run
};

[[nodiscard]] RunProgress progress_of(const execute::LiveSnapshot& live);
[[nodiscard]] RunProgress progress_of(const KeptRun& run);

} // namespace blockloom::runs
