// Charts of where the time of a run went: the phases of one or two runs, the phases of each block
// as a stack, and the gap between work and wall time.
#pragma once

#include "charts/chart.h"
#include "runs/gap_waterfall.h"

#include <memory>
#include <span>

namespace blockloom::report {

struct PhaseChartOptions {
    Nanoseconds most = 0;      ///< end of a time axis shared by two runs; 0: its own
    std::size_t columns = 160; ///< above this, neighbouring blocks share a column (their mean)
};

/// A run in the chart of phases.
struct PhasesSide {
    const runs::KeptRun* run = nullptr;
    runs::Breakdown found;
    std::string letter; ///< "A", "B"; empty: the only run
    std::string words;  ///< the run in words
};
/// Two rows per run: its measured phases one after another, serial ones hatched; and, predicted,
/// what would remain with an infinitely fast device. `most`: as in PhaseChartOptions.
[[nodiscard]] charts::Chart phases_chart(std::span<const PhasesSide> sides, Nanoseconds most = 0);

/// One column per block: accelerated phases at the bottom, filled; serial phases above, hatched.
[[nodiscard]] charts::Chart blocks_chart(const runs::KeptRun& run,
                                         const PhaseChartOptions& options = {});

/// The time of the longest block of a run.
[[nodiscard]] Nanoseconds longest_block(const runs::KeptRun& run) noexcept;

/// One row per step, each bar beginning where the one before ends; predicted steps are hollow and
/// dashed, the measured sum is last. Without steps there are no series, and `left_out` says why.
[[nodiscard]] charts::Chart gap_chart(const runs::KeptRun& run, const runs::GapWaterfall& gap,
                                      const PhaseChartOptions& options = {});

/// The same as tables: one row per phase; one row per block with its phases; one row per step.
[[nodiscard]] std::shared_ptr<const scene::ViewTable>
phases_table(std::span<const PhasesSide> sides);
[[nodiscard]] std::shared_ptr<const scene::ViewTable> blocks_table(const runs::KeptRun& run);
[[nodiscard]] std::shared_ptr<const scene::ViewTable> gap_table(const runs::GapWaterfall& gap);
/// Results of the first `most` blocks: tasks, statuses, time, digest.
[[nodiscard]] std::shared_ptr<const scene::ViewTable> results_table(const runs::KeptRun& run,
                                                                    std::size_t most);
/// Rows of that table in a report; .csv and .json have all.
inline constexpr std::size_t most_rows_of_blocks = 200;

/// The colour of the backend and engine that executed the run.
[[nodiscard]] charts::Ink ink_of(const runs::KeptRun& run) noexcept;

} // namespace blockloom::report
