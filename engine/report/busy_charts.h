// Charts of busy time against wall time: outlines are the available time of workers and devices,
// the filled part is the time they worked. Both are measured.
#pragma once

#include "report/phase_charts.h"
#include "runs/busy_time.h"

namespace blockloom::report {

/// A row per bar of `busy`, each with its text.
[[nodiscard]] charts::Chart busy_chart(const runs::BusyTime& busy, charts::Ink ink,
                                       const PhaseChartOptions& options = {});
/// A column per block, for its executions; neighbours share a column as in blocks_chart().
[[nodiscard]] charts::Chart busy_blocks_chart(const runs::BusyTime& busy, charts::Ink ink,
                                              const PhaseChartOptions& options = {});

/// The longest outline in both charts.
[[nodiscard]] Nanoseconds longest_bar(const runs::BusyTime& busy) noexcept;
[[nodiscard]] Nanoseconds longest_block(const runs::BusyTime& busy) noexcept;

} // namespace blockloom::report
