// The figures in the bar of the Schedule dock.
#pragma once

#include "schedule/block_analysis.h"

#include <QString>

#include <vector>

namespace blockloom::ui {

/// Figures of one simulated schedule (docs/definitions.md#simulated-schedules): all are
/// predictions.
struct ScheduleFigures {
    double predicted_speedup = 1; ///< work / makespan; 1 without tasks
    double busy_share = 0;        ///< share of workers × makespan, including aborted executions
};
[[nodiscard]] ScheduleFigures figures_of(const conflict::ConflictIndex& index,
                                         const schedule::Schedule& schedule);

/// Share of worker time that runs tasks, in `parts` equal parts of the makespan; aborted executions
/// count as busy.
[[nodiscard]] std::vector<float> busy_shares(const schedule::Schedule& schedule, std::size_t parts);

/// "1 per task", "gas", …: the unit of the axis.
[[nodiscard]] QString cost_words(const schedule::BlockAnalysis& analysis);
/// The same as a caption of the axis: "units", "gas", "ns".
[[nodiscard]] QString axis_unit(const schedule::BlockAnalysis& analysis);
/// Whether costs are nanoseconds.
[[nodiscard]] bool costs_are_times(const schedule::BlockAnalysis& analysis);
/// The makespan with its unit: "312 units", "3.37 ms" where costs are measured.
[[nodiscard]] QString makespan_text(const schedule::BlockAnalysis& analysis, std::uint64_t span);

} // namespace blockloom::ui
