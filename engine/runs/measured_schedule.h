// When the tasks of one block ran in a run that recorded spans, laid out as a simulated schedule
// is.
#pragma once

#include "base/result.h"
#include "profile/span.h"
#include "schedule/block_analysis.h"
#include "schedule/measured.h"

#include <optional>
#include <string_view>

namespace blockloom::runs {

/// Of the block at `height` of a trace, in the tasks of `index`, which may be of a policy that left
/// tasks out. `strategy` as the run's document names it. Error: the trace has nothing of the block.
[[nodiscard]] Result<schedule::MeasuredSchedule>
measured_schedule(const profile::Trace& trace, std::uint64_t height,
                  const conflict::ConflictIndex& index, std::string_view strategy);

/// When the executions of the block at `height` began: moment 0 of its measured schedule, since the
/// trace's start. Absent: the trace has none of them.
[[nodiscard]] std::optional<Nanoseconds> executions_begin(const profile::Trace& trace,
                                                          std::uint64_t height);

/// The same block with the measured times as costs, in nanoseconds, so that a schedule is predicted
/// on the axis of the one that was measured. A transaction's time is shared out among its tasks.
/// Nothing is coloured and no keys are ranked. Error: a task has no time of its own.
[[nodiscard]] Result<schedule::BlockAnalysis>
with_measured_costs(const schedule::BlockAnalysis& analysis,
                    const schedule::MeasuredSchedule& measured, std::stop_token stop = {});

} // namespace blockloom::runs
