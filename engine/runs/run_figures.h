// Where a kept run's time went (docs/definitions.md#figures-of-a-run).
#pragma once

#include "runs/kept_run.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace blockloom::runs {

/// Whether a phase of this run was accelerated: it ran on a device, or its work on several workers.
/// Everything else is serial, by where it ran; so is a part of `execute` (see parts_of).
[[nodiscard]] bool accelerated(const KeptRun& run, execute::Phase phase) noexcept;

/// Wall time of one phase, or of the part of one, by where it ran.
struct PhasePart {
    execute::Phase phase = execute::Phase::other;
    bool accelerated = false;
    bool in_order = false; ///< of `execute`, whose other part was accelerated
    Nanoseconds ns = 0;
    /// The phase's name; "execute in order" of what a parallel run executed on one thread.
    [[nodiscard]] std::string name() const;
    /// "on the device", "on several workers" or "serial".
    [[nodiscard]] const char* where(const KeptRun& run) const noexcept;
};

/// `phases`, which are the run's or of a part of it, as parts, those without time left out. Where
/// `execute` was accelerated, what of it ran on one thread follows it as a part of its own.
[[nodiscard]] std::vector<PhasePart> parts_of(const KeptRun& run, const execute::Phases& phases);

/// Whether an infinitely fast device would take a phase away: `execute`, `upload`, `download`.
[[nodiscard]] bool goes_to_device(execute::Phase phase) noexcept;

/// A run's time as Amdahl sees it. Shares are of the sum of all phases.
struct Breakdown {
    Nanoseconds total = 0;        ///< all phases, measured
    double accelerated_share = 0; ///< measured, 0 … 1
    double serial_share = 0;      ///< the rest
    /// Predicted: the time with an infinitely fast device, which takes `execute`, `upload` and
    /// `download` away and leaves the rest as it is.
    Nanoseconds with_infinite_device = 0;
    /// Predicted: the baseline's time over the one above. Of the one-worker run itself it is 1/f.
    /// Absent without a baseline.
    std::optional<double> bound;
    std::optional<double> measured_speedup; ///< the baseline's wall over this run's
};

/// The run that speed-ups of `run` are measured against: of those on the same blocks, rules and
/// processor the fastest that ran serially on one worker of the CPU, nothing verified on the way.
/// Null: there is none.
[[nodiscard]] const KeptRun* baseline_of(const KeptRun& run, std::span<const KeptRun> among);

/// `baseline` null: no bound and no speed-up.
[[nodiscard]] Breakdown breakdown_of(const KeptRun& run, const KeptRun* baseline);

/// The same blocks under the same rules: their times and results may be held against each other.
[[nodiscard]] bool same_inputs(const KeptRun& a, const KeptRun& b) noexcept;

} // namespace blockloom::runs
