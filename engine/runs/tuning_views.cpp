#include "runs/tuning_views.h"

#include "profile/cost_model.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace blockloom::runs {
namespace {

using execute::Strategy;

/// Most messages per batch, as a number: 0 (all at once) means the tasks of a block window.
double batch_of(const ReplayTuning& tuned, const TuningSetting& setting) {
    const double all =
        static_cast<double>(std::max<std::uint64_t>(tuned.largest, 1) * setting.how.window);
    const auto most = static_cast<double>(setting.how.batch_max);
    return setting.how.batch_max == 0 ? all : std::min(most, all);
}

/// Launches, work on the workers, and the overhead among workers. Backend, strategy and placement
/// form groups: one model cannot describe another.
profile::CostPoint cost_point(const ReplayTuning& tuned, const std::vector<std::string>& backends,
                              const TuningSetting& setting, const profile::TunedPoint* point) {
    const auto backend = static_cast<std::size_t>(
        std::find(backends.begin(), backends.end(), setting.backend) - backends.begin());
    const double batch = batch_of(tuned, setting);
    const double workers = std::max(setting.how.workers, 1U);
    const auto tasks = static_cast<double>(std::max<std::uint64_t>(tuned.tasks, 1));
    profile::CostPoint made;
    made.group = (backend * execute::all_strategies.size() +
                  static_cast<std::size_t>(setting.how.strategy)) *
                     2 +
                 (setting.how.hybrid ? 1 : 0);
    made.costs = {std::ceil(tasks / batch), 1 / workers, workers};
    made.place = {std::log2(batch) / 2, std::log2(workers),
                  std::log2(static_cast<double>(setting.how.batch_min) + 1) / 2,
                  std::log2(static_cast<double>(setting.slice) + 1) / 2,
                  std::log2(static_cast<double>(setting.how.window))};
    if (point != nullptr && !point->samples.empty()) made.measured = point->median;
    return made;
}

std::vector<profile::CostPoint> cost_points(const ReplayTuning& tuned) {
    const auto backends = backends_of(tuned);
    std::vector<profile::CostPoint> made;
    for (std::size_t i = 0; i < tuned.settings.size(); ++i) {
        made.push_back(cost_point(tuned, backends, tuned.settings[i], &tuned.tuning.points[i]));
        if (tuned.settings[i].how.strategy == Strategy::serial) made.back().group = SIZE_MAX;
    }
    return made;
}

std::uint64_t order_of(TuningAxis axis, std::uint64_t value) {
    return axis == TuningAxis::batch_max ? value - 1 : value; // 0, all at once, is the last one
}

bool same_but_for_batch(const TuningSetting& a, const TuningSetting& b) {
    TuningSetting other = b;
    other.how.batch_max = a.how.batch_max;
    return same_setting(a, other);
}

TuningCurve::Line fastest(const ReplayTuning& tuned, bool serial) {
    TuningCurve::Line line;
    for (std::size_t i = 0; i < tuned.settings.size(); ++i) {
        const TuningSetting& setting = tuned.settings[i];
        const profile::TunedPoint& point = tuned.tuning.points[i];
        if (setting.backend != "cpu" || (setting.how.strategy == Strategy::serial) != serial ||
            point.samples.empty() || (line.there && point.median >= line.time))
            continue;
        line = {point.median, i, true};
    }
    return line;
}

/// From which size on the curve stays below `time`, or up to which, if its end is above.
void find_crossover(TuningCurve& curve, double time) {
    using Crossing = TuningCurve::Crossing;
    if (curve.points.empty() || time <= 0) return;
    const auto faster = [&](const TuningCurve::Point& point) { return point.time < time; };
    const bool at_end = faster(curve.points.back());
    std::size_t at = curve.points.size() - 1; // the last one that is on the other side
    while (at > 0 && faster(curve.points[at]) == at_end) --at;
    if (faster(curve.points[at]) == at_end) {
        curve.crossing = at_end ? Crossing::always : Crossing::never;
        return;
    }
    const TuningCurve::Point &before = curve.points[at], &after = curve.points[at + 1];
    const double share =
        (std::log(before.time) - std::log(time)) / (std::log(before.time) - std::log(after.time));
    curve.crossing = at_end ? Crossing::at : Crossing::until;
    curve.crossover =
        std::exp(std::log(before.batch) + share * (std::log(after.batch) - std::log(before.batch)));
    curve.crossover_predicted = before.predicted || after.predicted;
}

/// With fewer samples of the best point nothing can be said about the others.
bool has_band(const ReplayTuning& tuned) {
    return !tuned.tuning.points.empty() &&
           tuned.tuning.points[tuned.tuning.best].samples.size() >= profile::fewest_samples;
}

} // namespace

const char* name_of(TuningAxis axis) noexcept {
    static constexpr const char* names[tuning_axes] = {
        "workers", "batch_min", "batch_max", "window", "slice", "hybrid", "device"};
    return names[static_cast<std::size_t>(axis)];
}

std::vector<std::string> backends_of(const ReplayTuning& tuned) {
    std::vector<std::string> found;
    for (const TuningSetting& setting : tuned.settings)
        if (std::find(found.begin(), found.end(), setting.backend) == found.end())
            found.push_back(setting.backend);
    return found;
}

std::uint64_t value_of(const ReplayTuning& tuned, const TuningSetting& setting, TuningAxis axis) {
    switch (axis) {
    case TuningAxis::workers:
        return setting.how.workers;
    case TuningAxis::batch_min:
        return setting.how.batch_min;
    case TuningAxis::batch_max:
        return setting.how.batch_max;
    case TuningAxis::window:
        return setting.how.window;
    case TuningAxis::slice:
        return setting.slice;
    case TuningAxis::hybrid:
        return setting.how.hybrid ? 1 : 0;
    case TuningAxis::device:
        break;
    }
    const auto backends = backends_of(tuned);
    return static_cast<std::uint64_t>(std::find(backends.begin(), backends.end(), setting.backend) -
                                      backends.begin());
}

std::vector<std::uint64_t> values_of(const ReplayTuning& tuned, TuningAxis axis) {
    std::set<std::uint64_t> values;
    for (const TuningSetting& setting : tuned.settings)
        if (setting.how.strategy != Strategy::serial) values.insert(value_of(tuned, setting, axis));
    std::vector<std::uint64_t> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end(), [axis](std::uint64_t a, std::uint64_t b) {
        return order_of(axis, a) < order_of(axis, b);
    });
    return sorted;
}

PredictedTimes predict_points(const ReplayTuning& tuned) {
    auto made = profile::predict(cost_points(tuned));
    return {std::move(made.times), made.typical_error};
}

std::optional<double> predict_setting(const ReplayTuning& tuned, const TuningSetting& setting) {
    auto points = cost_points(tuned);
    // A point is not used for its own prediction.
    for (std::size_t i = 0; i < tuned.settings.size(); ++i)
        if (same_setting(tuned.settings[i], setting)) points[i].measured = 0;
    return profile::predict_one(points, cost_point(tuned, backends_of(tuned), setting, nullptr));
}

std::vector<std::size_t> near_best(const ReplayTuning& tuned, double factor) {
    const PredictedTimes predicted = predict_points(tuned);
    const double best = tuned.tuning.points[tuned.tuning.best].median;
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < tuned.settings.size(); ++i)
        if (tuned.tuning.points[i].samples.empty() &&
            (!predicted.of[i] || *predicted.of[i] <= factor * best))
            found.push_back(i);
    return found;
}

std::vector<Strategy> strategies_of(const ReplayTuning& tuned, const std::string& backend) {
    std::vector<Strategy> found;
    for (const Strategy strategy : execute::all_strategies) {
        if (strategy == Strategy::serial) continue;
        for (std::size_t i = 0; i < tuned.settings.size(); ++i)
            if (const TuningSetting& setting = tuned.settings[i];
                setting.how.strategy == strategy && !tuned.tuning.points[i].samples.empty() &&
                (backend.empty() || setting.backend == backend)) {
                found.push_back(strategy);
                break;
            }
    }
    return found;
}

std::optional<Strategy> fastest_strategy(const ReplayTuning& tuned, const std::string& backend) {
    std::optional<Strategy> found;
    double least = 0;
    for (std::size_t i = 0; i < tuned.settings.size(); ++i) {
        const TuningSetting& setting = tuned.settings[i];
        const profile::TunedPoint& point = tuned.tuning.points[i];
        if (setting.how.strategy == Strategy::serial || point.samples.empty() ||
            (!backend.empty() && setting.backend != backend) || (found && point.median >= least))
            continue;
        found = setting.how.strategy;
        least = point.median;
    }
    return found;
}

HeatMap heat_map(const ReplayTuning& tuned, const std::string& backend, Strategy strategy,
                 TuningAxis x, TuningAxis y, const PredictedTimes* predicted) {
    HeatMap map;
    map.backend = backend;
    map.strategy = name_of(strategy);
    map.x_name = name_of(x);
    map.y_name = name_of(y);
    const auto belongs = [&](const TuningSetting& setting) {
        return (backend.empty() || setting.backend == backend) && setting.how.strategy == strategy;
    };
    const auto values = [&](TuningAxis axis) {
        std::vector<std::uint64_t> found = values_of(tuned, axis);
        std::erase_if(found, [&](std::uint64_t value) {
            return std::none_of(tuned.settings.begin(), tuned.settings.end(), [&](const auto& s) {
                return belongs(s) && value_of(tuned, s, axis) == value;
            });
        });
        return found;
    };
    map.x = values(x);
    map.y = values(y);
    map.cells.resize(map.x.size() * map.y.size());
    const bool banded = has_band(tuned);
    const auto place = [](const std::vector<std::uint64_t>& in, std::uint64_t value) {
        return static_cast<std::size_t>(std::find(in.begin(), in.end(), value) - in.begin());
    };
    for (std::size_t i = 0; i < tuned.settings.size(); ++i) {
        const TuningSetting& setting = tuned.settings[i];
        if (!belongs(setting)) continue;
        const profile::TunedPoint& point = tuned.tuning.points[i];
        const bool guessed = point.samples.empty();
        if (guessed && (predicted == nullptr || !predicted->of[i])) continue;
        const double time = guessed ? *predicted->of[i] : point.median;
        HeatMap::Cell& cell = map.cells[place(map.y, value_of(tuned, setting, y)) * map.x.size() +
                                        place(map.x, value_of(tuned, setting, x))];
        cell.in_band = cell.in_band || (banded && point.in_band);
        const bool better = cell.median == 0 || (cell.predicted && !guessed) ||
                            (cell.predicted == guessed && time < cell.median);
        if (!better) continue;
        cell.median = time;
        cell.point = i;
        cell.predicted = guessed;
    }
    return map;
}

TuningCurve tuning_curve(const ReplayTuning& tuned, const PredictedTimes& predicted,
                         const TuningSetting& along) {
    TuningCurve curve;
    curve.along = along;
    curve.serial = fastest(tuned, true);
    if (along.backend != "cpu") curve.cpu = fastest(tuned, false);
    double largest = 1;
    const bool banded = has_band(tuned);
    for (std::size_t i = 0; i < tuned.settings.size(); ++i) {
        const TuningSetting& setting = tuned.settings[i];
        if (setting.how.strategy == Strategy::serial || !same_but_for_batch(along, setting))
            continue;
        const profile::TunedPoint& point = tuned.tuning.points[i];
        if (point.samples.empty() && !predicted.of[i]) continue;
        TuningCurve::Point made;
        made.batch_max = setting.how.batch_max;
        made.batch = static_cast<double>(setting.how.batch_max);
        made.predicted = point.samples.empty();
        made.time = made.predicted ? *predicted.of[i] : point.median;
        made.in_band = banded && point.in_band;
        made.interval = profile::median_interval(point.samples);
        made.point = i;
        largest = std::max(largest, made.batch);
        curve.points.push_back(made);
    }
    // "All" is beyond every other size, or at the blocks' size if they are larger.
    const double all = std::max(2 * largest, static_cast<double>(tuned.largest) *
                                                 static_cast<double>(along.how.window));
    for (TuningCurve::Point& point : curve.points)
        if (point.batch_max == 0) point.batch = all;
    std::sort(curve.points.begin(), curve.points.end(),
              [](const auto& a, const auto& b) { return a.batch < b.batch; });
    for (const TuningCurve::Point& point : curve.points) {
        if (!point.in_band) continue;
        if (!curve.band) curve.band = profile::Interval{point.batch, point.batch};
        curve.band->high = point.batch;
    }
    double against = curve.serial.there ? curve.serial.time : 0;
    if (curve.cpu.there && (against == 0 || curve.cpu.time < against)) against = curve.cpu.time;
    find_crossover(curve, against);
    return curve;
}

} // namespace blockloom::runs
