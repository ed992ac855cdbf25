// Where the time of a run went, as charts: the phases of one run or two, each block's phases as a
// stack, and the gap between work and wall.
#pragma once

#include "charts/chart.h"
#include "runs/gap_waterfall.h"

#include <memory>
#include <span>

namespace blockloom::report {

struct PhaseChartOptions {
    Nanoseconds most = 0;      ///< end of the axis of times where two runs share one; 0: its own
    std::size_t columns = 160; ///< blocks beyond share columns: their mean
};

/// A run of the chart of phases.
struct PhasesSide {
    const runs::KeptRun* run = nullptr;
    runs::Breakdown found;
    std::string letter; ///< "A", "B"; empty: it stands alone
    std::string words;  ///< the run in words
};
/// Two rows a run: its phases one after the other, measured, those that were serial hatched; and
/// what an infinitely fast device would leave, predicted. `most`: as in PhaseChartOptions.
[[nodiscard]] charts::Chart phases_chart(std::span<const PhasesSide> sides, Nanoseconds most = 0);

/// A column a block: what was accelerated at the bottom, filled; serial phases over it, hatched.
[[nodiscard]] charts::Chart blocks_chart(const runs::KeptRun& run,
                                         const PhaseChartOptions& options = {});

/// The longest block of a run.
[[nodiscard]] Nanoseconds longest_block(const runs::KeptRun& run) noexcept;

/// A row a step, each bar where the one before ended; predicted ones hollow and dashed, the
/// measured sum last. Without steps there are no series, and `left_out` says why.
[[nodiscard]] charts::Chart gap_chart(const runs::KeptRun& run, const runs::GapWaterfall& gap,
                                      const PhaseChartOptions& options = {});

/// The same as tables: a row a block with its phases; a row a step.
[[nodiscard]] std::shared_ptr<const scene::ViewTable> blocks_table(const runs::KeptRun& run);
[[nodiscard]] std::shared_ptr<const scene::ViewTable> gap_table(const runs::GapWaterfall& gap);
/// What the first `most` blocks came to: tasks, statuses, time, digest.
[[nodiscard]] std::shared_ptr<const scene::ViewTable> results_table(const runs::KeptRun& run,
                                                                    std::size_t most);
/// Rows of it that a report shows: the rest is in .csv and .json.
inline constexpr std::size_t most_rows_of_blocks = 200;

/// The colour of what ran it.
[[nodiscard]] charts::Ink ink_of(const runs::KeptRun& run) noexcept;

} // namespace blockloom::report
