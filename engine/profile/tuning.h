// A measured search for the fastest of many points that spends its time where it matters:
// successive halving (Jamieson & Talwalkar 2016), with intervals that say which points are equally
// good.
#pragma once

#include "base/progress.h"
#include "profile/bootstrap.h"

#include <functional>
#include <stop_token>
#include <vector>

namespace blockloom::profile {

struct TuningOptions {
    unsigned first = 3;     ///< measurements of every point in the first round
    unsigned most = 15;     ///< measurements of a point that is kept to the end
    Nanoseconds budget = 0; ///< total measured time; 0: no limit
    std::uint64_t seed = 20261121;
    /// Points to start with; empty: all of them. Others are added when `more` requests them.
    std::vector<std::size_t> begin_with{};
    /// Further points that are worth measuring, given the results so far; called repeatedly until
    /// it returns no new one. Points that are never requested are not measured. May be empty.
    std::function<std::vector<std::size_t>(const struct Tuning&)> more{};
    /// Receives the results so far, including medians and the best point, before each measurement
    /// and at the end; on the measuring thread. May be empty.
    std::function<void(const struct Tuning&)> seen{};
};

/// The result for one point.
struct TunedPoint {
    std::vector<Nanoseconds> samples; ///< excluding the first, which is warm-up
    unsigned rounds = 0;              ///< rounds it took part in
    double median = 0;                ///< 0: never measured
    /// 95 % interval of its median over the best point's; absent: too few samples. For the best one
    /// [1, 1].
    std::optional<Interval> against_best;
    /// Belongs to the optimum band: its interval is not entirely above 1.
    bool in_band = false;
};

struct Tuning {
    std::vector<TunedPoint> points;
    std::size_t best = 0;
    std::uint64_t measurements = 0;       ///< including warm-up
    Nanoseconds spent = 0;                ///< total measured time
    bool out_of_budget = false;           ///< it ended before the last round
    std::optional<std::size_t> measuring; ///< set during the search
};

/// Computes medians, the best point, intervals relative to it and the optimum band from the
/// samples: at the end of a search, or when samples are added later.
void settle(Tuning& tuning, std::uint64_t seed = TuningOptions{}.seed);

/// Measures one point once. An error ends the search.
using MeasurePoint = std::function<Result<Nanoseconds>(std::size_t point)>;

/// Every round measures the remaining points in turn (so that changes on the machine affect all
/// alike), each time in a different order, and keeps the better half, but never drops a point that
/// is not significantly worse than the best one. Rounds continue until the remaining points have
/// `most` samples. Fails if there are no points, if `measure` fails, or when stopped. Points that
/// `more` requests are not measured once the budget is spent.
[[nodiscard]] Result<Tuning> tune(std::size_t points, const MeasurePoint& measure,
                                  const TuningOptions& options, ProgressSink& progress,
                                  const std::stop_token& stop);

} // namespace blockloom::profile
