// Why a run took longer than its work over its workers: the gap, step by step, from the spans that
// were kept with it (docs/definitions.md#the-gap).
#pragma once

#include "runs/busy_time.h"

#include <string>
#include <vector>

namespace blockloom::runs {

/// One step; they add up to the measured time. Some may be negative.
struct GapStep {
    std::string name, about;
    Nanoseconds ns = 0;
    bool predicted = false;
};

struct GapWaterfall {
    std::vector<GapStep> steps;
    Nanoseconds measured = 0;         ///< all phases of the recorded repetition
    std::vector<std::string> skipped; ///< steps that the records do not allow, and why
    std::string missing;              ///< why there is none at all; empty: there is
};

/// Of a run on p workers, with the serial run's messages as its work W: W/p and what dependencies
/// cost beyond it (both predicted), work done again, executions in order, imbalance, barriers and
/// launch, transfer, commit, the rest of the host. What dependencies cost is, block by block, how
/// far the longest chain of the serial run's measured times is beyond its share of W/p: no schedule
/// gets below it. It is no part of the measured steps, so that all add up. Of a device: what it
/// ran, and what stood beside it. Null: no spans were kept; the baseline needs none where its
/// record tells its work.
[[nodiscard]] GapWaterfall gap_of(const KeptRun& run, const profile::Trace* spans,
                                  const KeptRun* baseline, const profile::Trace* baseline_spans);

/// "1.20 ms", "−0.30 ms".
[[nodiscard]] std::string step_text(const GapStep& step);

/// A line a step, and what was skipped.
[[nodiscard]] std::vector<std::string> gap_words(const GapWaterfall& gap);

} // namespace blockloom::runs
