// A measured search for the fastest of many points that spends its time where it matters:
// successive halving (Jamieson & Talwalkar 2016), with intervals to say which points are as good.
#pragma once

#include "base/progress.h"
#include "profile/bootstrap.h"

#include <functional>
#include <stop_token>
#include <vector>

namespace blockloom::profile {

struct TuningOptions {
    unsigned first = 3;     ///< measurements of every point in the first round
    unsigned most = 15;     ///< measurements of a point that stays to the end
    Nanoseconds budget = 0; ///< of measured time in sum; 0: no limit
    std::uint64_t seed = 20261121;
    /// Points to begin with; empty: all of them. The others join where `more` asks for them.
    std::vector<std::size_t> begin_with{};
    /// Points that are worth measuring too, after what was found so far; asked again until it names
    /// no new one. Those nobody asks for are never measured. May be empty.
    std::function<std::vector<std::size_t>(const struct Tuning&)> more{};
    /// Sees what was found so far, medians and best point included, before each measurement and at
    /// the end; on the thread that measures. May be empty.
    std::function<void(const struct Tuning&)> seen{};
};

/// What came of one point.
struct TunedPoint {
    std::vector<Nanoseconds> samples; ///< without the first, which is warm-up
    unsigned rounds = 0;              ///< that it took part in
    double median = 0;                ///< 0: never measured
    /// 95 % of its median over the best point's; absent: too few samples. Of the best one [1, 1].
    std::optional<Interval> against_best;
    /// Among the best: its interval is not worse, that is, does not lie above 1 as a whole.
    bool in_band = false;
};

struct Tuning {
    std::vector<TunedPoint> points;
    std::size_t best = 0;
    std::uint64_t measurements = 0;       ///< warm-ups included
    Nanoseconds spent = 0;                ///< measured time in sum
    bool out_of_budget = false;           ///< it ended before the last round
    std::optional<std::size_t> measuring; ///< while it goes on
};

/// Medians, best point, intervals against it and band, of the samples that are there: what the end
/// of a search does, and whoever adds samples later.
void settle(Tuning& tuning, std::uint64_t seed = TuningOptions{}.seed);

/// Measures one point once. An error ends the search.
using MeasurePoint = std::function<Result<Nanoseconds>(std::size_t point)>;

/// Every round measures the points that are left in turn (so that what changes on the machine
/// meets all alike), each in another order, and keeps the better half, but never drops a point
/// that is not shown to be worse than the best one. Rounds go on until the points left have `most`
/// samples. Fails where there are no points, where `measure` does, or when stopped. Points that
/// `more` asked for are not measured once the budget is spent.
[[nodiscard]] Result<Tuning> tune(std::size_t points, const MeasurePoint& measure,
                                  const TuningOptions& options, ProgressSink& progress,
                                  const std::stop_token& stop);

} // namespace blockloom::profile
