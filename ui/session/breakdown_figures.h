// What the Breakdown panel shows beside the phases, found off the GUI thread.
#pragma once

#include "report/gap_waterfall.h"
#include "report/scaling_figures.h"

#include <QString>

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace blockloom::ui {

struct BreakdownFigures {
    struct Side {
        report::KeptRun run;
        std::optional<report::BusyTime> busy; ///< absent: `no_busy` says why
        std::string no_busy;
        report::GapWaterfall gap;
        std::vector<std::string> words; ///< its profiling report
    };
    report::ScalingFigures scaling; ///< of A's blocks
    std::optional<Side> a, b;
};

/// Reads the spans of both runs and of their baselines from the workspace `folder`, and resamples
/// intervals: slow. `kept`: runs that points and baselines are looked for among. Null: told to
/// stop.
[[nodiscard]] std::shared_ptr<const BreakdownFigures>
find_breakdown(const std::optional<report::KeptRun>& a, const std::optional<report::KeptRun>& b,
               const std::vector<report::KeptRun>& kept, const QString& folder,
               const std::stop_token& stop);

} // namespace blockloom::ui
