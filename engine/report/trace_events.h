// Spans as trace-event JSON, which Perfetto and chrome://tracing open ("Trace Event Format",
// object form).
#pragma once

#include "profile/span.h"
#include "runs/kept_run.h"

#include <span>
#include <string>

namespace blockloom::report {

/// One process per run, one thread per lane: complete events (X) in microseconds with three
/// decimals, counters (C), and metadata (M) for names and order. Block, task and detail are
/// arguments; provenance is in "otherData". One event per line; ends with a newline.
struct TracedRun {
    const runs::KeptRun* run = nullptr;
    const profile::Trace* trace = nullptr;
};
[[nodiscard]] std::string trace_events_json(std::span<const TracedRun> runs,
                                            const runs::Provenance& provenance);

} // namespace blockloom::report
