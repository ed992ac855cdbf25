// The part of a sweep off the GUI thread: replays the blocks with one setting after another.
#pragma once

#include "range/range.h"
#include "runs/tuning_views.h"

namespace blockloom::ui {

/// A single setting instead of a whole sweep.
struct TuningOne {
    runs::TuningSetting setting;
    unsigned times = 0;
};

/// The job's input, copied on the GUI thread.
struct TuningOrder {
    std::shared_ptr<const range::Range> range; ///< an executed range; of its blocks
    std::size_t first = 0, count = 0;          ///< these are replayed
    range::RangeOptions options;               ///< options that open the range again
    runs::TuningSpace space;
    unsigned seconds = 0;
    bool coarse = true;
    std::optional<TuningOne> one; ///< instead of the space; added to `known`
    runs::ReplayTuning known;
};

/// What the panel shows: measured points, and predictions for the others.
struct SeenTuning {
    std::shared_ptr<const runs::ReplayTuning> tuning; ///< null: nothing yet
    runs::PredictedTimes predicted;
};

/// Called on the job's thread before each replay.
using TuningSeen = std::function<void(const std::shared_ptr<const runs::ReplayTuning>&)>;

/// Replays on the state before the first block, as known from the open range's execution; commits
/// nothing. Fails if a named device is unavailable or a setting leads to a different state.
[[nodiscard]] Result<runs::ReplayTuning> perform_tuning(const TuningOrder& order,
                                                        const TuningSeen& seen,
                                                        ProgressSink& progress,
                                                        const std::stop_token& stop);

/// Identifies the contracts that ran in a range's blocks; tunings are kept under it.
[[nodiscard]] std::string code_of(const range::Range& range);

} // namespace blockloom::ui
