// The speed-up of the run in progress, next to those of the kept runs of the same blocks.
#pragma once

#include "execute/live_run.h"
#include "runs/scaling_figures.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace blockloom::runs {

/// Measured on the finished blocks: an estimate for the whole run.
struct RunningPoint {
    ScalingSeries of; ///< of the run in progress; without points
    unsigned workers = 1;
    double speedup = 1; ///< the serial run's time for these blocks over this run's
    std::uint64_t blocks = 0, blocks_all = 0;
};

/// Immutable.
class LiveScaling {
public:
    /// From the kept runs of the blocks that `how` names; without a serial run among them the
    /// figures say what is missing. Resamples intervals: slow.
    LiveScaling(const execute::LiveSettings& how, std::span<const KeptRun> kept);
    /// Of a kept run: no run is in progress.
    LiveScaling(const KeptRun& run, std::span<const KeptRun> kept);

    [[nodiscard]] const ScalingFigures& figures() const noexcept { return figures_; }
    /// By the phases of the blocks that both have finished. Absent without a serial run, before the
    /// first block, and if no run is in progress.
    [[nodiscard]] std::optional<RunningPoint> so_far(const execute::LiveSnapshot& live) const;

private:
    ScalingFigures figures_;
    std::vector<Nanoseconds> serial_; ///< of the baseline's first 0, 1, … blocks
};

/// "This run so far: CPU native, speculative, 1.52× on 2 workers, from 12 of 40 blocks".
[[nodiscard]] std::string point_words(const RunningPoint& point);

} // namespace blockloom::runs
