// Why a task waited, in one sentence: predicted and measured.
#pragma once

#include "range/task_details.h"
#include "schedule/measured.h"
#include "schedule/recorded_aborts.h"
#include "schedule/waits.h"

#include <functional>
#include <string>

namespace blockloom::range {

/// A length of time in words, in the units of the schedule.
using LengthText = std::function<std::string(std::uint64_t length)>;

/// "It waited 1.2 ms for #17, which writes storage:…; then 0.3 ms for a free worker, while #16
/// ran." More than four parts are summed up by reason: how long in all, and the longest.
[[nodiscard]] std::string wait_sentence(const BlockRecord& record, const schedule::TaskWait& wait,
                                        const LengthText& length);

/// Why an attempt of a run was aborted. As the run recorded it: "read an outdated value (storage:…,
/// written by #12)". Else inferred from the recorded times: "#12 wrote storage:… only after it had
/// begun, so what it read there was outdated or predicted wrongly (inferred from the times)".
[[nodiscard]] std::string abort_text(const BlockRecord& record,
                                     const schedule::AbortedAttempt& attempt);

/// Where and when a kept run executed the task, and why not earlier. `run` is the run's name.
[[nodiscard]] DetailSection measured_section(const BlockRecord& record,
                                             const schedule::MeasuredSchedule& measured,
                                             const std::string& run, conflict::TaskId task);
/// The title of that section.
inline constexpr const char* measured_title = "Schedule, measured";

} // namespace blockloom::range
