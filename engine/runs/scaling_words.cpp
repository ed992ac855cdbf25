// Speed-ups, laws and their errors in words.
#include "base/number_text.h"
#include "runs/scaling_figures.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace blockloom::runs {
namespace {

std::string with_error(const profile::Estimate& estimate) {
    return estimate.error
               ? fmt::format("{} ± {}", three_digits(estimate.value), three_digits(*estimate.error))
               : fmt::format("{} (error unknown)", three_digits(estimate.value));
}

std::string point_text(const ScalingSeries& series, const ScalingPoint& point) {
    std::string text = ratio_text(point.speedup);
    if (!series.on_device()) text += fmt::format(" on {}", counted(point.workers, "worker"));
    return text + (point.interval ? fmt::format(" (95 % {}–{})", three_digits(point.interval->low),
                                                three_digits(point.interval->high))
                                  : std::string(" (no interval)"));
}

/// How the experimentally determined serial fraction changes as workers are added; empty: unknown.
std::string karp_flatt_text(const ScalingSeries& series) {
    const ScalingPoint *first = nullptr, *last = nullptr;
    for (const ScalingPoint& point : series.points) {
        if (!point.karp_flatt) continue;
        if (first == nullptr) first = &point;
        last = &point;
    }
    if (first == nullptr) return {};
    if (first == last)
        return fmt::format(
            "Karp–Flatt: e({}) = {}; a second worker count would show whether it rises",
            first->workers, percent_text(*first->karp_flatt));
    const std::string ends = fmt::format("Karp–Flatt: e({}) = {}, e({}) = {}", first->workers,
                                         percent_text(*first->karp_flatt), last->workers,
                                         percent_text(*last->karp_flatt));
    if (*last->karp_flatt > 1) return ends + ": above 100 %, slower than the serial run";
    if (!first->karp_flatt_interval || !last->karp_flatt_interval)
        return ends + ": too few repetitions to say whether it rises";
    if (last->karp_flatt_interval->low > first->karp_flatt_interval->high)
        return ends + ": it rises, so overhead or imbalance grows with the number of workers";
    if (last->karp_flatt_interval->high < first->karp_flatt_interval->low)
        return ends + ": it falls, so most of the overhead comes with the first workers";
    return ends +
           ": no significant rise, so a serial part limits the speed-up, not growing overhead";
}

} // namespace

std::string why_no_amdahl(const ScalingSeries& series) {
    if (!series.amdahl) return {};
    const double f = series.amdahl->value;
    // The fit ends at 0, where a speed-up beyond the number of workers would need less.
    const bool beyond = f <= 0 && std::ranges::any_of(series.points, [](const ScalingPoint& point) {
                            return point.workers > 1 && point.speedup > point.workers;
                        });
    if (f >= 0 && f <= 1 && !beyond) return {};
    return fmt::format("Amdahl's law is not fitted to {}: no serial fraction from 0 to 100 % "
                       "explains its times, because {}",
                       series.name,
                       f > 1 ? "it was slower than the serial run"
                             : "its speed-up exceeds the number of workers");
}

std::string why_no_usl(const ScalingSeries& series) {
    if (!series.usl || series.usl->r_squared >= 0) return {};
    return fmt::format(
        "The USL is not fitted to {}: its curve fits the points worse than their mean "
        "does (R² below 0)",
        series.name);
}

std::string point_words(const ScalingSeries& series, const ScalingPoint& point) {
    std::string words =
        fmt::format("{}: {}, run {}", series.name, point_text(series, point), point.run);
    if (point.karp_flatt) words += fmt::format(", Karp–Flatt {}", percent_text(*point.karp_flatt));
    if (point.others != 0)
        words += fmt::format("; {} of the same kind not drawn", counted(point.others, "run"));
    return words;
}

std::vector<std::string> scaling_words(const ScalingFigures& figures) {
    std::vector<std::string> lines;
    if (!figures.baseline.empty()) {
        std::string serial = fmt::format("Baseline, serial: {}, {}", figures.baseline,
                                         time_text(figures.baseline_wall));
        if (figures.baseline_interval)
            serial +=
                fmt::format(" (95 % {}–{})",
                            time_text(static_cast<Nanoseconds>(figures.baseline_interval->low)),
                            time_text(static_cast<Nanoseconds>(figures.baseline_interval->high)));
        lines.push_back(std::move(serial));
    }
    if (figures.serial_fraction) {
        std::string line = fmt::format("Amdahl, predicted from its phases: f = {} serial",
                                       percent_text(*figures.serial_fraction));
        if (const auto limit = figures.limit())
            line += fmt::format(", so no device can make the run more than {} as fast",
                                ratio_text(*limit));
        lines.push_back(std::move(line));
    }
    for (const ScalingSeries& series : figures.series) {
        if (series.strategy == "serial") continue;
        std::vector<std::string> points;
        for (const ScalingPoint& point : series.points) points.push_back(point_text(series, point));
        lines.push_back(fmt::format("{}: measured {}", series.name, fmt::join(points, ", ")));
        if (const std::string why = why_no_amdahl(series); !why.empty())
            lines.push_back(why);
        else if (series.amdahl)
            lines.push_back(
                fmt::format("{}: Amdahl fitted, f = {}", series.name, with_error(*series.amdahl)));
        if (const std::string why = why_no_usl(series); !why.empty()) {
            lines.push_back(why);
        } else if (series.usl) {
            std::string usl =
                fmt::format("{}: USL fitted, contention σ = {}, coherency κ = {}", series.name,
                            with_error(series.usl->contention), with_error(series.usl->coherency));
            usl += fmt::format(", R² {}", three_digits(series.usl->r_squared));
            if (series.usl->peak && *series.usl->peak <= 2 * series.usl->most_workers)
                usl += fmt::format(", predicted to be fastest on {} workers",
                                   three_digits(*series.usl->peak));
            lines.push_back(std::move(usl));
        }
        if (const std::string text = karp_flatt_text(series); !text.empty())
            lines.push_back(series.name + ": " + text);
        if (!series.missing.empty()) lines.push_back(series.name + ": " + series.missing);
    }
    if (!figures.missing.empty())
        lines.push_back("Speed-up by number of workers " + figures.missing);
    for (const StruckRun& out : figures.struck)
        lines.push_back(fmt::format("Excluded: {}, {}", out.run, out.reason));
    for (const std::string& note : figures.notes) lines.push_back("Note: " + note);
    return lines;
}

} // namespace blockloom::runs
