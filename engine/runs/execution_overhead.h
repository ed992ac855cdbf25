// What an execution costs its worker beside its own time.
#pragma once

#include "base/clock.h"
#include "profile/span.h"

namespace blockloom::runs {

/// The mean time between two executions of a worker, or before the first one of a batch or flow:
/// decoding, sheets, results, ordering. Time in which the worker waited or ran something else does
/// not count. 0: the trace has no executions.
[[nodiscard]] Nanoseconds overhead_of_an_execution(const profile::Trace& trace);

} // namespace blockloom::runs
