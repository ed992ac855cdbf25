// How far more workers helped: measured speed-ups of the kept runs of the same blocks, and the laws
// that were fitted to them (docs/definitions.md#laws-of-speed-up). One value for the
// window, the reports and the command line.
#pragma once

#include "profile/scaling.h"
#include "runs/run_comparison.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace blockloom::runs {

/// Measured: the runs of one backend on one number of workers, in the one that stands for them.
struct ScalingPoint {
    std::string run;                           ///< id
    unsigned workers = 1;                      ///< without meaning on a device
    std::size_t samples = 1;                   ///< repetitions, warm-up left out
    Nanoseconds wall = 0;                      ///< their median
    double speedup = 1;                        ///< the baseline's median over it
    std::optional<profile::Interval> interval; ///< 95 %, of the speed-up; absent: too few samples
    std::optional<double> karp_flatt;          ///< absent: one worker, or a device
    std::optional<profile::Interval> karp_flatt_interval; ///< from the ends of `interval`
    std::size_t others = 0;                               ///< runs of the same that are not drawn
};

/// The points of one backend. Fits are predictions beyond the points.
struct ScalingSeries {
    std::string name; ///< "CPU native, speculative", "Vulkan, speculative: NVIDIA H200"
    std::string backend, device, engine, strategy;
    std::vector<ScalingPoint> points; ///< by workers; a device has one, for it has no workers
    std::optional<profile::Estimate> amdahl; ///< the serial fraction that fits best
    std::optional<profile::UslFit> usl;
    std::string missing; ///< what the fits still need, in words; empty: nothing

    [[nodiscard]] bool on_device() const noexcept { return backend != "cpu"; }
};

/// Why the fitted curve of a series says nothing and is not drawn, a sentence; empty: it is drawn,
/// or there is no fit. Amdahl's serial fraction must be from 0 to 1, and the USL must describe the
/// points better than their mean does.
[[nodiscard]] std::string why_no_amdahl(const ScalingSeries& series);
[[nodiscard]] std::string why_no_usl(const ScalingSeries& series);

/// A kept run of the same blocks that no figure counts.
struct StruckRun {
    std::string run, reason;
    bool wrong = false; ///< its results differ from the baseline's
};

struct ScalingFigures {
    std::string about;    ///< the run whose blocks they are
    std::string baseline; ///< the best serial run; empty: there is none, and nothing else is told
    Nanoseconds baseline_wall = 0;
    std::optional<profile::Interval> baseline_interval; ///< nanoseconds
    std::size_t baseline_samples = 1;
    /// f: what the baseline spent outside `execute`, `upload` and `download`, of its time.
    /// Measured.
    std::optional<double> serial_fraction;
    std::vector<ScalingSeries> series;
    std::vector<StruckRun> struck;
    std::vector<std::string> notes; ///< what must be known to read the figures
    std::string missing;            ///< what is needed for anything to be told; empty: nothing

    /// The infinitely fast device, predicted: 1/f. Absent without f, or where nothing is serial.
    [[nodiscard]] std::optional<double> limit() const;
    [[nodiscard]] unsigned most_workers() const noexcept; ///< of the points; 1 without any
};

/// Gathers the runs in `among` that have the inputs of `about` and the baseline's results. Of
/// several runs of the same backend, strategy and workers the one in `preferred` (ids) stands for
/// all, else one with an interval, else the first (lists are newest first).
[[nodiscard]] ScalingFigures scaling_of(const KeptRun& about, std::span<const KeptRun> among,
                                        std::span<const std::string> preferred = {});

/// "CPU native, speculative: 1.52× on 2 workers (95 % 1.48–1.60), run ID".
[[nodiscard]] std::string point_words(const ScalingSeries& series, const ScalingPoint& point);

/// Lines of plain text: points, laws with their errors, what is missing, what was struck out.
[[nodiscard]] std::vector<std::string> scaling_words(const ScalingFigures& figures);

} // namespace blockloom::runs
