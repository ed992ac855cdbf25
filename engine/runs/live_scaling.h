// The speed-up of a run that goes on, among those of the kept runs of the same blocks.
#pragma once

#include "execute/live_run.h"
#include "runs/scaling_figures.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace blockloom::runs {

/// Measured, of the blocks that are finished: an estimate of what the whole run will come to.
struct RunningPoint {
    ScalingSeries of; ///< what runs; without points
    unsigned workers = 1;
    double speedup = 1; ///< the serial run's time at these blocks over this run's
    std::uint64_t blocks = 0, blocks_all = 0;
};

/// Immutable once made.
class LiveScaling {
public:
    /// What is kept of the blocks that `how` names; without a serial run among it the figures say
    /// what is missing. Resamples intervals: slow.
    LiveScaling(const execute::LiveSettings& how, std::span<const KeptRun> kept);
    /// Of a kept run: nothing goes on.
    LiveScaling(const KeptRun& run, std::span<const KeptRun> kept);

    [[nodiscard]] const ScalingFigures& figures() const noexcept { return figures_; }
    /// By the phases of the blocks that both have finished. Absent without a serial run, before the
    /// first block, and where nothing goes on.
    [[nodiscard]] std::optional<RunningPoint> so_far(const execute::LiveSnapshot& live) const;

private:
    ScalingFigures figures_;
    std::vector<Nanoseconds> serial_; ///< of the baseline's first 0, 1, … blocks
};

/// "This run so far: CPU native, speculative, 1.52× on 2 workers, by 12 of 40 blocks".
[[nodiscard]] std::string point_words(const RunningPoint& point);

} // namespace blockloom::runs
