// What-if verified by replay: a plan that can be run is run, and its wall time compared with the
// predicted one.
#pragma once

#include "runs/measured_run.h"
#include "runs/reopened_run.h"
#include "runs/what_if.h"

#include <string>

namespace blockloom::runs {

/// Why a plan cannot be run, a sentence without a full stop; empty: it can. What can be changed for
/// real: the strategy, the number of workers and the batch limits; predicted keys mean the strategy
/// predict, and no barriers the strategy dag if this version has it.
[[nodiscard]] std::string why_not_replayable(const KeptRun& run, const WhatIfPlan& plan);

/// The settings of that replay: the run's, changed as planned. The plan must be replayable.
[[nodiscard]] execute::StrategyOptions replay_settings(const KeptRun& run, const WhatIfPlan& plan);

/// A predicted time beside the measured one.
struct CheckedPrediction {
    Nanoseconds predicted = 0, measured = 0; ///< measured: median of the replay's repetitions
    /// predicted / measured − 1.
    [[nodiscard]] double error() const noexcept {
        return measured <= 0 ? 0.0
                             : static_cast<double>(predicted) / static_cast<double>(measured) - 1;
    }
};
/// "predicted 1.20 ms, measured 1.25 ms: off by −4.0 %".
[[nodiscard]] std::string text_of(const CheckedPrediction& checked);

struct WhatIfReplay {
    MeasuredRun run; ///< not yet kept
    /// Wall time and the executions in it; predicted without the time for which the recorded run
    /// waited for a database, to which a replay writes nothing.
    CheckedPrediction wall, execute;
    /// Of the first block whose digest is not the recorded run's; empty: all are equal.
    std::string difference;
};

/// Replays the blocks of the recorded run on the CPU, on the state before them, by the plan.
/// Commits nothing.
[[nodiscard]] Result<WhatIfReplay> replay_what_if(const KeptRun& run, const ReopenedRun& again,
                                                  const WhatIfPlan& plan, const WhatIf& predicted,
                                                  unsigned repetitions, ProgressSink& progress,
                                                  const std::stop_token& stop);

} // namespace blockloom::runs
