// What the Breakdown panel shows besides the phases, computed off the GUI thread.
#pragma once

#include "runs/gap_waterfall.h"
#include "runs/scaling_figures.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace blockloom::ui {

class RunTraces;

/// The gaps of two runs, subtracted. Slow, as find_breakdown().
[[nodiscard]] runs::GapDifference find_gap_difference(const runs::KeptRun& a,
                                                      const runs::KeptRun& b,
                                                      const std::vector<runs::KeptRun>& kept,
                                                      RunTraces& traces, const std::string& folder);

struct BreakdownFigures {
    struct Side {
        runs::KeptRun run;
        std::optional<runs::BusyTime> busy; ///< absent: `no_busy` says why
        std::string no_busy;
        runs::GapWaterfall gap;
        std::vector<std::string> words; ///< the run's profiling report
    };
    runs::ScalingFigures scaling; ///< for A's blocks
    std::optional<Side> a, b;
};

/// Slow: reads the spans of both runs and of their baselines, kept in `folder`, and resamples
/// intervals. `kept`: the runs to take points and baselines from. Null: stopped on request.
[[nodiscard]] std::shared_ptr<const BreakdownFigures>
find_breakdown(const std::optional<runs::KeptRun>& a, const std::optional<runs::KeptRun>& b,
               const std::vector<runs::KeptRun>& kept, RunTraces& traces, const std::string& folder,
               const std::stop_token& stop);

} // namespace blockloom::ui
