// Why a run took longer than its work over its workers: the gap, step by step, from the spans that
// were kept with it (spec/workbench.md, section 5).
#pragma once

#include "report/run_figures.h"

#include <string>
#include <vector>

namespace blockloom::report {

/// Busy against wall of one run, of the repetition that was recorded.
struct BusyTime {
    execute::Phases wall;      ///< each instant belongs to one phase
    execute::Phases busy;      ///< of all threads and the device: may exceed the wall
    unsigned workers = 0;      ///< lanes that executed messages
    Nanoseconds on_device = 0; ///< of `busy`
    /// Busy time of `execute` over what its workers had, 0 … 1; absent on a device.
    [[nodiscard]] std::optional<double> utilisation() const;
};

/// Absent where spans were dropped: what they leave is no sum.
[[nodiscard]] std::optional<BusyTime> busy_time(const KeptRun& run, const profile::Trace& spans);

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

/// Of a run on p workers, with the serial run's messages as its work W: W/p (predicted), work done
/// again, imbalance, barriers and launch, transfer, commit, the rest of the host. Of a device: what
/// it ran, and what stood beside it. Null: not kept.
[[nodiscard]] GapWaterfall gap_of(const KeptRun& run, const profile::Trace* spans,
                                  const KeptRun* baseline, const profile::Trace* baseline_spans);

/// "1.20 ms", "−0.30 ms".
[[nodiscard]] std::string step_text(const GapStep& step);

/// A line a step, and what was skipped.
[[nodiscard]] std::vector<std::string> gap_words(const GapWaterfall& gap);

} // namespace blockloom::report
