#include "runs/scaling_figures.h"

#include "base/number_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>
#include <tuple>

namespace blockloom::runs {
namespace {

using profile::Interval;
using profile::SpeedupPoint;
using Samples = std::span<const Nanoseconds>;

Samples settled(const KeptRun& run) {
    const Samples walls = run.walls;
    return walls.size() > run.warm_up ? walls.subspan(run.warm_up) : walls;
}

/// The time that is shown of the run everywhere.
Nanoseconds median(const KeptRun& run) {
    if (run.wall > 0) return run.wall;
    const Samples walls = settled(run);
    return walls.empty() ? run.wall : static_cast<Nanoseconds>(profile::median_of(walls));
}

/// Kept medians have intervals where the samples were not kept: their ends bound the speed-up.
std::optional<Interval> speedup_interval(const KeptRun& baseline, const KeptRun& run) {
    if (const auto found = profile::ratio_interval(settled(baseline), settled(run))) return found;
    if (!baseline.interval || !run.interval || run.interval->first <= 0) return std::nullopt;
    return Interval{
        static_cast<double>(baseline.interval->first) / static_cast<double>(run.interval->second),
        static_cast<double>(baseline.interval->second) / static_cast<double>(run.interval->first)};
}

std::string name_of_series(const KeptRun& run) {
    if (run.backend == "cpu") return fmt::format("CPU {}, {}", run.engine, run.strategy);
    const std::string backend = run.backend == "vulkan" ? "Vulkan"
                                : run.backend == "cuda" ? "CUDA"
                                                        : run.backend;
    return fmt::format("{}, {}: {}", backend, run.strategy, run.device);
}

ScalingPoint point_of(const KeptRun& run, const KeptRun& baseline) {
    ScalingPoint point;
    point.run = run.id;
    point.workers = run.strategy == "serial" ? 1 : run.workers;
    const std::size_t kept = settled(run).size();
    point.samples = kept != 0 ? kept : std::max<std::size_t>(run.repetitions, 1);
    point.wall = median(run);
    if (&run == &baseline) return point; // 1 by definition, so no interval
    point.speedup = static_cast<double>(median(baseline)) / static_cast<double>(point.wall);
    point.interval = speedup_interval(baseline, run);
    if (run.backend != "cpu") return point;
    const auto workers = static_cast<double>(point.workers);
    point.karp_flatt = profile::karp_flatt({workers, point.speedup});
    if (point.karp_flatt && point.interval) {
        // A smaller speed-up is a larger serial fraction.
        const auto low = profile::karp_flatt({workers, point.interval->high});
        const auto high = profile::karp_flatt({workers, point.interval->low});
        if (low && high) point.karp_flatt_interval = Interval{*low, *high};
    }
    return point;
}

/// "1, 2, 4": what there is, and then doublings until there are three.
std::string three_counts(std::set<unsigned> there) {
    for (unsigned count = 1; there.size() < 3; count *= 2) there.insert(count);
    return fmt::format("{}", fmt::join(there, ", "));
}

void fit(ScalingSeries& series) {
    if (series.on_device()) {
        series.missing = "a device has no worker count: its bound is that of an infinitely "
                         "fast device, and the laws for numbers of workers do not apply";
        return;
    }
    if (series.strategy == "serial") return; // the baseline of the others
    std::vector<SpeedupPoint> points;
    std::set<unsigned> counts;
    for (const ScalingPoint& point : series.points) {
        points.push_back({static_cast<double>(point.workers), point.speedup});
        counts.insert(point.workers);
    }
    // The serial run is the point of one worker unless there is another.
    if (counts.insert(1).second) points.insert(points.begin(), {1, 1});
    series.amdahl = profile::fit_amdahl(points);
    series.usl = profile::fit_usl(points);
    if (!series.amdahl)
        series.missing =
            fmt::format("Amdahl and USL need runs with 3 worker counts: run with {} workers",
                        three_counts(counts));
    else if (!series.usl)
        series.missing =
            fmt::format("USL needs runs with 3 worker counts, found {}: run with {} workers",
                        fmt::join(counts, ", "), three_counts(counts));
    else if (!series.usl->contention.error)
        series.missing = "the errors of the USL fit need a fourth worker count";
}

/// Why a run of the same inputs is excluded from all figures; empty: it is not.
StruckRun struck(const KeptRun& run, const KeptRun& baseline) {
    StruckRun out{run.id, {}, false};
    const RunComparison results = compare_results(baseline, run);
    if (results.digests == Equality::unequal) {
        out.reason = "MISMATCH: " + results.digest_text;
        out.wrong = true;
    } else if (run.verified == false) {
        out.reason = "MISMATCH: its own verification found a difference";
        out.wrong = true;
    } else if (results.digests == Equality::unknown) {
        out.reason = "no digest shows whether its results equal those of the serial run";
    } else if (run.looked_closer) {
        out.reason = "its times include its verification or the estimation of access sets";
    } else if (run.processor != baseline.processor) {
        out.reason = fmt::format("another machine: {}", run.processor);
    } else if (median(run) <= 0) {
        out.reason = "its time was not recorded";
    }
    return out;
}

} // namespace

std::optional<double> ScalingFigures::limit() const {
    if (!serial_fraction || *serial_fraction <= 0) return std::nullopt;
    return profile::amdahl_limit(*serial_fraction);
}

unsigned ScalingFigures::most_workers() const noexcept {
    unsigned most = 1;
    for (const ScalingSeries& at : series)
        if (!at.on_device())
            for (const ScalingPoint& point : at.points) most = std::max(most, point.workers);
    return most;
}

ScalingFigures scaling_of(const KeptRun& about, std::span<const KeptRun> among,
                          std::span<const std::string> preferred) {
    ScalingFigures found;
    found.about = about.id;
    const KeptRun* const baseline = baseline_of(about, among);
    if (baseline == nullptr) {
        found.missing = fmt::format("needs a serial run of the same blocks on this machine: replay "
                                    "them with the strategy serial and {} repetitions",
                                    enough_repetitions);
        return found;
    }
    found.baseline = baseline->id;
    found.baseline_wall = median(*baseline);
    found.baseline_samples = point_of(*baseline, *baseline).samples;
    // The one of the repetition nearest the median; computed for old documents.
    found.baseline_interval =
        baseline->interval
            ? std::optional(profile::Interval{static_cast<double>(baseline->interval->first),
                                              static_cast<double>(baseline->interval->second)})
            : profile::median_interval(settled(*baseline));
    const Breakdown phases = breakdown_of(*baseline, nullptr);
    if (phases.total > 0)
        found.serial_fraction =
            static_cast<double>(phases.with_infinite_device) / static_cast<double>(phases.total);

    const auto rank = [&](const KeptRun& run) {
        const bool wanted = &run == baseline || std::find(preferred.begin(), preferred.end(),
                                                          run.id) != preferred.end();
        return std::tuple(!wanted, settled(run).size() < profile::fewest_samples);
    };
    using Key = std::tuple<bool, std::string, std::string, std::string, std::string>;
    std::map<Key, std::map<unsigned, std::vector<const KeptRun*>>> groups;
    std::set<std::string> versions;
    for (const KeptRun& run : among) {
        if (!same_inputs(about, run)) continue;
        if (StruckRun out = struck(run, *baseline); !out.reason.empty()) {
            found.struck.push_back(std::move(out));
            continue;
        }
        versions.insert(run.version);
        const bool device = run.backend != "cpu";
        // The processor before devices, the serial run before parallel ones.
        groups[{device, run.backend, run.strategy == "serial" ? "" : run.strategy, run.engine,
                device ? run.device : std::string()}]
              [device || run.strategy == "serial" ? 1 : run.workers]
                  .push_back(&run);
    }
    for (auto& [key, counts] : groups) {
        ScalingSeries series;
        for (auto& [workers, runs] : counts) {
            const auto best =
                std::min_element(runs.begin(), runs.end(), [&](const KeptRun* a, const KeptRun* b) {
                    return rank(*a) < rank(*b);
                });
            const KeptRun& run = **best;
            if (series.points.empty()) {
                series.name = name_of_series(run);
                series.backend = run.backend;
                series.device = run.device;
                series.engine = run.engine;
                series.strategy = run.strategy;
            }
            series.points.push_back(point_of(run, *baseline));
            series.points.back().others = runs.size() - 1;
        }
        fit(series);
        found.series.push_back(std::move(series));
    }
    if (versions.size() > 1)
        found.notes.push_back(fmt::format("these are runs of several versions of Blockloom: {}",
                                          fmt::join(versions, ", ")));
    if (found.baseline_samples < profile::fewest_samples)
        found.notes.push_back(
            fmt::format("no intervals: the serial run {} has {}; {} are enough", found.baseline,
                        counted(found.baseline_samples, "repetition"), enough_repetitions));
    const bool parallel =
        std::any_of(found.series.begin(), found.series.end(),
                    [](const ScalingSeries& at) { return at.strategy != "serial"; });
    if (!parallel)
        found.missing = fmt::format("needs runs with 3 worker counts: run with 1, 2, 4 workers "
                                    "(strategy speculative, {} repetitions each)",
                                    enough_repetitions);
    return found;
}

} // namespace blockloom::runs
