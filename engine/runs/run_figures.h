// Where a kept run's time went (docs/definitions.md#figures-of-a-run).
#pragma once

#include "runs/kept_run.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace blockloom::runs {

/// Where a phase ran: not where it was asked to.
enum class RanOn : std::uint8_t { one_thread, workers, device, device_and_workers };

/// `execute` of a run with a device ran where the executions that were accepted ran; on the device,
/// if that was not recorded.
[[nodiscard]] RanOn ran_on(const KeptRun& run, execute::Phase phase) noexcept;

/// Whether a phase of this run was accelerated: it ran on a device or on several workers.
/// Everything else is serial, and so is a part of `execute` (see parts_of).
[[nodiscard]] bool accelerated(const KeptRun& run, execute::Phase phase) noexcept;

/// Wall time of a phase, or of a part of one, by where it ran.
struct PhasePart {
    execute::Phase phase = execute::Phase::other;
    bool accelerated = false;
    bool in_order = false; ///< the serial part of an accelerated `execute`
    Nanoseconds ns = 0;
    /// The phase's name, or "execute in order" for what a parallel run executed on one thread.
    [[nodiscard]] std::string name() const;
    /// "on the device", "on several workers", "on the device and the workers" or "serial".
    [[nodiscard]] const char* where(const KeptRun& run) const noexcept;
};

/// The parts of `phases` (the run's, or those of a part of it) that took time. Where `execute` was
/// accelerated, its time on one thread follows as a separate part.
[[nodiscard]] std::vector<PhasePart> parts_of(const KeptRun& run, const execute::Phases& phases);

/// Whether a phase would take no time on an infinitely fast device: `execute`, `upload`,
/// `download`.
[[nodiscard]] bool goes_to_device(execute::Phase phase) noexcept;

/// A run's time by Amdahl's law. Shares are of the sum of all phases.
struct Breakdown {
    Nanoseconds total = 0;        ///< all phases, measured
    double accelerated_share = 0; ///< measured, 0 … 1
    double serial_share = 0;      ///< the rest
    /// Predicted: the time with an infinitely fast device, on which `execute`, `upload` and
    /// `download` take no time.
    Nanoseconds with_infinite_device = 0;
    /// Predicted: the baseline's time over the time above; 1/f for the serial run itself. Absent
    /// without a baseline.
    std::optional<double> bound;
    std::optional<double> measured_speedup; ///< the baseline's wall over this run's
};

/// The baseline of `run`: the fastest serial run of the same blocks and rules on the same
/// processor, made without verification or estimation. Null: there is none.
[[nodiscard]] const KeptRun* baseline_of(const KeptRun& run, std::span<const KeptRun> among);

/// `baseline` null: no bound and no speed-up.
[[nodiscard]] Breakdown breakdown_of(const KeptRun& run, const KeptRun* baseline);

/// The same blocks under the same rules: their times and results can be compared.
[[nodiscard]] bool same_inputs(const KeptRun& a, const KeptRun& b) noexcept;

} // namespace blockloom::runs
