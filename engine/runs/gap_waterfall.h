// Why a run took longer than its work divided by its workers: the gap, step by step, from the spans
// kept with the run (docs/definitions.md#the-gap).
#pragma once

#include "runs/busy_time.h"

#include <array>
#include <string>
#include <vector>

namespace blockloom::runs {

/// The categories of a gap, in the order of its steps. The names are those of the JSON.
inline constexpr std::array gap_categories{"ideal time",    "dependencies", "imbalance",
                                           "repeated work", "device idle",  "bookkeeping",
                                           "transfer",      "commit"};

/// What a step consists of; the parts add up to the step.
struct GapPart {
    std::string name, about;
    Nanoseconds ns = 0;
};

/// One step, of the category of its name; they add up to the measured time, to the nanosecond. Some
/// may be negative.
struct GapStep {
    std::string name, about;
    Nanoseconds ns = 0;
    bool predicted = false;
    std::vector<GapPart> parts{}; ///< empty: it is not divided further
};

struct GapWaterfall {
    std::vector<GapStep> steps;       ///< each category at most once, in their order
    Nanoseconds measured = 0;         ///< all phases of the recorded repetition
    std::string about;                ///< which one that is; empty: there was only one
    std::vector<std::string> skipped; ///< steps that cannot be computed from the records, and why
    std::string missing;              ///< why there is no gap at all; empty: there is one
};

/// For a run on p workers, with the serial run's messages as its work W: W/p and the cost of
/// dependencies beyond it (both predicted), imbalance (in batches, and while one thread executed in
/// order), repeated work, bookkeeping (barriers, and the host's other phases), transfer and commit.
/// The cost of dependencies is, block by block, how far the longest chain by the serial run's
/// measured times exceeds its share of W/p: no schedule can be shorter. It is subtracted from the
/// measured steps, so that all steps add up. For a device, which has no number of workers: its
/// kernels are "ideal time", measured; uploads and downloads while no kernel runs are transfer; the
/// rest of the executions is device idle: it waits for the host. `spans` null: none were kept; the
/// baseline needs none if its record has its work.
[[nodiscard]] GapWaterfall gap_of(const KeptRun& run, const profile::Trace* spans,
                                  const KeptRun* baseline, const profile::Trace* baseline_spans);

/// One cause in two gaps. A step that a gap does not have counts as 0: its time is in other steps.
struct GapChange {
    std::string name, about;
    std::optional<Nanoseconds> a, b; ///< absent: the run's gap has no such step
    Nanoseconds b_minus_a = 0;
    bool predicted = false; ///< in either run
};

/// The gaps of two runs, cause by cause, in the order of gap_categories. The differences add up to
/// that of the measured times, to the nanosecond.
struct GapDifference {
    std::vector<GapChange> causes;  ///< those that at least one of the runs has
    Nanoseconds a = 0, b = 0;       ///< the measured times of the recorded repetitions
    std::vector<std::string> notes; ///< steps that one of the runs does not have, and why
    std::string missing;            ///< why there is no difference; empty: there is one
};
[[nodiscard]] GapDifference gap_difference(const GapWaterfall& a, const GapWaterfall& b);

/// "1.20 ms", "−0.30 ms".
[[nodiscard]] std::string step_text(const GapStep& step);
[[nodiscard]] std::string step_text(Nanoseconds ns);
/// Name, time, meaning and parts of a step.
[[nodiscard]] std::string step_words(const GapStep& step);

/// One line per step with its parts, then what was skipped.
[[nodiscard]] std::vector<std::string> gap_words(const GapWaterfall& gap);

} // namespace blockloom::runs
