// Views of a sweep: maps over two of its dimensions, the curve over batch sizes, and predicted
// times of points that were not measured.
#pragma once

#include "runs/replay_tuning.h"

namespace blockloom::runs {

/// A dimension of a sweep.
enum class TuningAxis : std::uint8_t {
    workers,
    batch_min,
    batch_max, ///< on a device the size of its waves
    window,
    slice,
    hybrid, ///< placement: 0, all rounds are the device's; 1, its workers share them
    device,
};
inline constexpr std::size_t tuning_axes = 7;
[[nodiscard]] const char* name_of(TuningAxis axis) noexcept; ///< "batch_max"

/// A setting's value; for `device`, the place of its backend in `backends_of`.
[[nodiscard]] std::uint64_t value_of(const ReplayTuning& tuned, const TuningSetting& setting,
                                     TuningAxis axis);
/// In the order of the axis: batch_max 0 (all at once) comes last.
[[nodiscard]] std::vector<std::uint64_t> values_of(const ReplayTuning& tuned, TuningAxis axis);
/// Backends of the points, in their order.
[[nodiscard]] std::vector<std::string> backends_of(const ReplayTuning& tuned);

/// Nanoseconds by point, without serial points; for a measured point, as predicted from the others.
struct PredictedTimes {
    std::vector<std::optional<double>> of;
    std::optional<double> typical_error; ///< median of |predicted / measured − 1|
};
[[nodiscard]] PredictedTimes predict_points(const ReplayTuning& tuned);
/// For a setting that need not be a point of the sweep.
[[nodiscard]] std::optional<double> predict_setting(const ReplayTuning& tuned,
                                                    const TuningSetting& setting);
/// Points without samples that are predicted to take at most `factor` times the best median, or
/// that cannot be predicted.
[[nodiscard]] std::vector<std::size_t> near_best(const ReplayTuning& tuned, double factor);

/// The strategies of points with samples, in the order of all_strategies, without the serial one,
/// whose single point has no batches. Empty backend: of all.
[[nodiscard]] std::vector<execute::Strategy> strategies_of(const ReplayTuning& tuned,
                                                           const std::string& backend);
/// That of the fastest measured one of these points; none: there are none.
[[nodiscard]] std::optional<execute::Strategy> fastest_strategy(const ReplayTuning& tuned,
                                                                const std::string& backend);

/// Medians over two of the dimensions: each cell shows the best point with its values, measured
/// ones before predicted ones.
struct HeatMap {
    struct Cell {
        double median = 0;     ///< nanoseconds; 0: unknown
        std::size_t point = 0; ///< the point shown
        bool predicted = false;
        bool in_band = false;
    };
    std::string backend, strategy; ///< empty backend: all
    std::string x_name, y_name;    ///< "batch_max", "batch_min"
    std::vector<std::uint64_t> x, y;
    std::vector<Cell> cells; ///< row by row: y.size() × x.size()
};
/// `predicted` null: measured cells only.
[[nodiscard]] HeatMap heat_map(const ReplayTuning& tuned, const std::string& backend,
                               execute::Strategy strategy, TuningAxis x, TuningAxis y,
                               const PredictedTimes* predicted = nullptr);

/// Time by the largest batch size, everything else as in one setting.
struct TuningCurve {
    struct Point {
        std::uint64_t batch_max = 0; ///< 0: all at once
        double batch = 0;            ///< its position on the axis; 0 (all) is beyond the others
        double time = 0;             ///< nanoseconds
        bool predicted = false, in_band = false;
        std::optional<profile::Interval> interval; ///< 95 % of its median
        std::size_t point = 0;
    };
    struct Line {
        double time = 0;
        std::size_t point = 0;
        bool there = false;
    };
    enum class Crossing : std::uint8_t {
        unknown, ///< nothing to compare with
        never,   ///< slower at every size
        always,  ///< faster at every size
        at,      ///< faster from `crossover` on
        until,   ///< faster up to `crossover`
    };
    TuningSetting along;
    std::vector<Point> points;             ///< by batch
    std::optional<profile::Interval> band; ///< batches from – to
    Line serial;                           ///< the CPU, one message after another
    Line cpu; ///< the fastest of the CPU's other points; absent for a curve of the CPU
    Crossing crossing = Crossing::unknown; ///< against the faster of the two lines
    double crossover = 0; ///< batch size, interpolated between two points on a logarithmic scale
    bool crossover_predicted = false; ///< one of the two points was not measured
};
[[nodiscard]] TuningCurve tuning_curve(const ReplayTuning& tuned, const PredictedTimes& predicted,
                                       const TuningSetting& along);

} // namespace blockloom::runs
