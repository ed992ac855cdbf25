// What more workers gain: measured speed-ups of the kept runs of the same blocks, and the laws
// fitted to them (docs/definitions.md#laws-of-speed-up). The same figures for the window, the
// reports and the command line.
#pragma once

#include "profile/scaling.h"
#include "runs/run_comparison.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace blockloom::runs {

/// Measured: one run that represents all runs of a backend on a number of workers.
struct ScalingPoint {
    std::string run;                           ///< id
    unsigned workers = 1;                      ///< not applicable on a device
    std::size_t samples = 1;                   ///< repetitions, warm-up excluded
    Nanoseconds wall = 0;                      ///< their median
    double speedup = 1;                        ///< the baseline's median over it
    std::optional<profile::Interval> interval; ///< 95 %, of the speed-up; absent: too few samples
    std::optional<double> karp_flatt;          ///< absent: one worker, or a device
    std::optional<profile::Interval> karp_flatt_interval; ///< from the ends of `interval`
    std::size_t others = 0; ///< other runs of the same kind, not drawn
};

/// The points of one backend. Beyond the points a fit is a prediction.
struct ScalingSeries {
    std::string name; ///< "CPU native, speculative", "Vulkan, speculative: NVIDIA H200"
    std::string backend, device, engine, strategy;
    std::vector<ScalingPoint> points;        ///< by workers; a device has one point
    std::optional<profile::Estimate> amdahl; ///< the serial fraction that fits best
    std::optional<profile::UslFit> usl;
    std::string missing; ///< what the fits still need, in words; empty: nothing

    [[nodiscard]] bool on_device() const noexcept { return backend != "cpu"; }
};

/// Why the fitted curve of a series is meaningless and not drawn, a sentence; empty: it is drawn,
/// or there is no fit. Amdahl's serial fraction must be from 0 to 1, and the USL must describe the
/// points better than their mean does.
[[nodiscard]] std::string why_no_amdahl(const ScalingSeries& series);
[[nodiscard]] std::string why_no_usl(const ScalingSeries& series);

/// A kept run of the same blocks that is excluded from all figures.
struct StruckRun {
    std::string run, reason;
    bool wrong = false; ///< its results differ from the baseline's
};

struct ScalingFigures {
    std::string about;    ///< the run whose blocks they are
    std::string baseline; ///< the best serial run; empty: there is none, and no figures
    Nanoseconds baseline_wall = 0;
    std::optional<profile::Interval> baseline_interval; ///< nanoseconds
    std::size_t baseline_samples = 1;
    /// f: the share of the baseline's time outside `execute`, `upload` and `download`, measured.
    std::optional<double> serial_fraction;
    std::vector<ScalingSeries> series;
    std::vector<StruckRun> struck;
    std::vector<std::string> notes; ///< what a reader of the figures must know
    std::string missing;            ///< what the figures need; empty: nothing

    /// The speed-up with an infinitely fast device, predicted: 1/f. Absent without f, or if f is 0.
    [[nodiscard]] std::optional<double> limit() const;
    [[nodiscard]] unsigned most_workers() const noexcept; ///< of the points; 1 without any
};

/// Collects the runs in `among` that have the inputs of `about` and the baseline's results. Of
/// several runs with the same backend, strategy and workers, the one in `preferred` (ids)
/// represents all, else one with an interval, else the first (lists are newest first).
[[nodiscard]] ScalingFigures scaling_of(const KeptRun& about, std::span<const KeptRun> among,
                                        std::span<const std::string> preferred = {});

/// "CPU native, speculative: 1.52× on 2 workers (95 % 1.48–1.60), run ID".
[[nodiscard]] std::string point_words(const ScalingSeries& series, const ScalingPoint& point);

/// Lines of plain text: points, laws with their errors, what is missing, which runs are excluded.
[[nodiscard]] std::vector<std::string> scaling_words(const ScalingFigures& figures);

} // namespace blockloom::runs
