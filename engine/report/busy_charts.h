// Busy against wall as charts: outlines are the time that workers and devices had, what is filled
// is the time that they worked. Both are measured.
#pragma once

#include "report/phase_charts.h"
#include "runs/busy_time.h"

namespace blockloom::report {

/// A row a bar of `busy`, each with its words.
[[nodiscard]] charts::Chart busy_chart(const runs::BusyTime& busy, charts::Ink ink,
                                       const PhaseChartOptions& options = {});
/// A column a block, of its executions; neighbours share one as in blocks_chart().
[[nodiscard]] charts::Chart busy_blocks_chart(const runs::BusyTime& busy, charts::Ink ink,
                                              const PhaseChartOptions& options = {});

/// The longest outline of both charts.
[[nodiscard]] Nanoseconds longest_bar(const runs::BusyTime& busy) noexcept;
[[nodiscard]] Nanoseconds longest_block(const runs::BusyTime& busy) noexcept;

} // namespace blockloom::report
