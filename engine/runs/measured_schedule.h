// When the tasks of one block ran, from recorded spans, in the form of a simulated schedule.
#pragma once

#include "base/result.h"
#include "profile/span.h"
#include "runs/kept_aborts.h"
#include "schedule/block_analysis.h"
#include "schedule/measured.h"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace blockloom::runs {

/// The schedule of the block at `height` of a trace, in the tasks of `index`, whose policy may have
/// left tasks out. `strategy` as in the run's document; `aborts`: what it recorded of the block;
/// null: nothing. Error: the trace has nothing of the block.
[[nodiscard]] Result<schedule::MeasuredSchedule>
measured_schedule(const profile::Trace& trace, std::uint64_t height,
                  const conflict::ConflictIndex& index, std::string_view strategy,
                  const KeptAborts* aborts = nullptr);

/// When the executions of the block at `height` began, since the trace's start: moment 0 of its
/// measured schedule. Absent: the trace has none.
[[nodiscard]] std::optional<Nanoseconds> executions_begin(const profile::Trace& trace,
                                                          std::uint64_t height);

/// Schedules of one block by several runs, stacked on one axis: the lanes of each below those of
/// the one before, with an empty lane between them. Moment 0 is that of each of them. An execution
/// of a task then stands in it once for each run; `stands_under` is that of the first.
[[nodiscard]] schedule::MeasuredSchedule
stacked(std::span<const schedule::MeasuredSchedule> schedules);

/// The measured time of each task of the index, in nanoseconds, at least 1. A transaction's time is
/// divided evenly among its tasks; of several executions the last one counts. Error: a task has no
/// separate measured time.
[[nodiscard]] Result<std::vector<std::uint64_t>>
measured_costs(const conflict::ConflictIndex& index, const schedule::MeasuredSchedule& measured);

/// The same block with the measured times as costs, in nanoseconds, so that the predicted schedule
/// has the axis of the measured one. There is no colouring and no key ranking. Error: as above.
[[nodiscard]] Result<schedule::BlockAnalysis>
with_measured_costs(const schedule::BlockAnalysis& analysis,
                    const schedule::MeasuredSchedule& measured, std::stop_token stop = {});

} // namespace blockloom::runs
