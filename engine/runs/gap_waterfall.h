// Why a run took longer than its work divided by its workers: the gap, step by step, from the spans
// kept with the run (docs/definitions.md#the-gap).
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
    std::string about;                ///< which one that is; empty: there was only one
    std::vector<std::string> skipped; ///< steps that cannot be computed from the records, and why
    std::string missing;              ///< why there is no gap at all; empty: there is one
};

/// For a run on p workers, with the serial run's messages as its work W: W/p and the cost of
/// dependencies beyond it (both predicted), repeated work, executions in order, imbalance, barriers
/// and launches, transfer, commit, and the rest of the host. The cost of dependencies is, block by
/// block, how far the longest chain by the serial run's measured times exceeds its share of W/p: no
/// schedule can be shorter. It is subtracted from the measured steps, so that all steps add up. For
/// a device: its kernels, and execution outside them. `spans` null: none were kept; the baseline
/// needs none if its record has its work.
[[nodiscard]] GapWaterfall gap_of(const KeptRun& run, const profile::Trace* spans,
                                  const KeptRun* baseline, const profile::Trace* baseline_spans);

/// "1.20 ms", "−0.30 ms".
[[nodiscard]] std::string step_text(const GapStep& step);

/// One line per step, then what was skipped.
[[nodiscard]] std::vector<std::string> gap_words(const GapWaterfall& gap);

} // namespace blockloom::runs
