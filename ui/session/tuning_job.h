// What a sweep does off the GUI thread: replays the blocks with one setting after the other.
#pragma once

#include "range/range.h"
#include "runs/tuning_views.h"

namespace blockloom::ui {

/// Settings in place of a whole sweep.
struct TuningOne {
    runs::TuningSetting setting;
    unsigned times = 0;
};

/// What the job needs, copied before it leaves the GUI thread.
struct TuningOrder {
    std::shared_ptr<const range::Range> range; ///< executed; of its blocks
    std::size_t first = 0, count = 0;          ///< these are replayed
    range::RangeOptions options;               ///< what would open the range again
    runs::TuningSpace space;
    unsigned seconds = 0;
    bool coarse = true;
    std::optional<TuningOne> one; ///< instead of the space; joins `known`
    runs::ReplayTuning known;
};

/// What the panel shows: what was measured, and what that says of the rest.
struct SeenTuning {
    std::shared_ptr<const runs::ReplayTuning> tuning; ///< null: nothing yet
    runs::PredictedTimes predicted;
};

/// Called on the job's thread before each replay.
using TuningSeen = std::function<void(const std::shared_ptr<const runs::ReplayTuning>&)>;

/// Replays on the state before the first of the blocks, which the open range's own execution tells;
/// commits nothing. Fails where a device that is named cannot be used, and where a setting comes to
/// another state.
[[nodiscard]] Result<runs::ReplayTuning> perform_tuning(const TuningOrder& order,
                                                        const TuningSeen& seen,
                                                        ProgressSink& progress,
                                                        const std::stop_token& stop);

/// The contracts that ran in the blocks of a range, as tunings are kept by.
[[nodiscard]] std::string code_of(const range::Range& range);

} // namespace blockloom::ui
