#include "report/scaling_chart.h"

#include "base/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace blockloom::report {
namespace {

using charts::Chart;
using charts::Label;
using charts::Mark;
using charts::Series;
using scene::Theme;
using Sign = scene::OverlayLegend::Sign;

Mark mark_of(const runs::ScalingSeries& series) {
    if (series.backend == "vulkan") return Mark::diamond;
    if (series.backend == "cuda") return Mark::triangle;
    return series.engine == "interpreter" ? Mark::square : Mark::circle;
}

const char* name_of(Mark mark) {
    static constexpr std::array names{"circle", "square", "diamond", "triangle", "dash"};
    return names[static_cast<std::size_t>(mark)];
}

std::string speedup_text(double value) {
    return value < 1 ? fmt::format("1/{:.3g}×", 1 / value) : fmt::format("{:.3g}×", value);
}

/// Only fractions: a speed-up above the number of workers, or below 1, gives none.
bool is_fraction(double value) {
    return value >= 0 && value <= 1;
}

class ScalingChartMaker {
public:
    ScalingChartMaker(const runs::ScalingFigures& figures, const ScalingChartOptions& options)
        : figures_(figures), options_(options), fraction_(options.law == ScalingLaw::karp_flatt),
          devices_(!fraction_ && any_device()), workers_(last_worker()) {}

    Chart make() && {
        chart_.title = fmt::format("Speed-up by number of workers: {}", name_of(options_.law));
        axes();
        if (!fraction_) {
            const auto linear = [](double p) { return p; };
            curve("linear", linear, workers_, &Theme::control_border, 1, false);
            name_curve("linear", linear, workers_, &Theme::text3);
        }
        laws();
        points();
        // The chosen law is named first; curves take the room that is left.
        std::stable_sort(names_.begin(), names_.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        for (auto& [rank, label] : names_) chart_.labels.push_back(std::move(label));
        for (Label& label : later_) chart_.labels.push_back(std::move(label));
        legend();
        chart_.table = scaling_table(figures_);
        chart_.summary =
            fmt::format("{}. {}", name_of(options_.law), fmt::join(scaling_words(figures_), ". "));
        for (const std::string& why : chart_.left_out) chart_.summary += ". " + why;
        if (options_.so_far) chart_.summary += ". " + point_words(*options_.so_far);
        return std::move(chart_);
    }

private:
    [[nodiscard]] bool any_device() const {
        return (options_.so_far && options_.so_far->of.on_device()) ||
               std::any_of(figures_.series.begin(), figures_.series.end(),
                           [](const runs::ScalingSeries& at) { return at.on_device(); });
    }

    /// The end of the workers' axis: laws are drawn a little beyond the measured points.
    [[nodiscard]] double last_worker() const {
        const auto& so_far = options_.so_far;
        const unsigned running = so_far && !so_far->of.on_device() ? so_far->workers : 1;
        const double most =
            std::exp2(std::ceil(std::log2(std::max(figures_.most_workers(), running))));
        if (fraction_) return std::max(most, 2.0);
        if (options_.law == ScalingLaw::usl) return std::max(2 * most, 4.0);
        return std::max(8 * most, 16.0);
    }

    [[nodiscard]] std::optional<double> value_of(const runs::ScalingSeries& series,
                                                 const runs::ScalingPoint& point) const {
        if (!fraction_) return point.speedup;
        if (series.on_device() || !point.karp_flatt) return std::nullopt;
        return point.karp_flatt;
    }
    [[nodiscard]] const std::optional<profile::Interval>&
    interval_of(const runs::ScalingPoint& point) const {
        return fraction_ ? point.karp_flatt_interval : point.interval;
    }

    void axes() {
        chart_.x.title = "workers (log scale)";
        chart_.x.scale = charts::Scale::doublings;
        chart_.x.from = 0.9;
        chart_.x.to = workers_ * (devices_ ? 4.5 : 1.08);
        for (double p = 1; p <= workers_ * 1.001; p *= 2)
            chart_.x.named.push_back({p, fmt::format("{:g}", p)});
        if (devices_) {
            chart_.x.named.push_back({workers_ * 2.2, "device"});
            charts::Band border;
            border.from = border.to = workers_ * 1.3;
            border.ink = &Theme::control_border;
            border.hatched = true;
            chart_.bands.push_back(std::move(border));
        }
        chart_.y.title = fraction_ ? "serial fraction" : "speed-up (log scale)";
        chart_.y.scale = fraction_ ? charts::Scale::linear : charts::Scale::doublings;
        chart_.y.text = fraction_ ? percent_text : speedup_text;
        double low = 1, high = 2;
        if (fraction_) low = 0, high = 0.1;
        const auto take = [&](double value) {
            low = std::min(low, value);
            high = std::max(high, value);
        };
        if (options_.so_far && !fraction_) take(options_.so_far->speedup);
        for (const runs::ScalingSeries& series : figures_.series)
            for (const runs::ScalingPoint& point : series.points) {
                const auto value = value_of(series, point);
                if (!value || (fraction_ && !is_fraction(*value))) continue;
                take(*value);
                if (const auto& interval = interval_of(point))
                    take(interval->low), take(interval->high);
            }
        if (fraction_) {
            chart_.y.from = std::max(low, -0.1);
            chart_.y.to = std::min(high * 1.08, 1.1);
            return;
        }
        // A bound far above all points would squeeze them together.
        if (const auto limit = figures_.limit(); limit && options_.law == ScalingLaw::amdahl)
            take(std::min(*limit * 1.15, 64 * high));
        if (options_.law == ScalingLaw::gustafson && figures_.serial_fraction)
            take(profile::gustafson(*figures_.serial_fraction, workers_));
        if (options_.law == ScalingLaw::usl) take(workers_ / 2);
        chart_.y.from = std::exp2(std::floor(std::log2(std::max(low, 1e-3)) + 1e-9));
        chart_.y.to = std::exp2(std::ceil(std::log2(high) - 1e-9));
    }

    /// A law from one worker to `last`, in as many pieces as look smooth.
    template <typename Law>
    void curve(const std::string& name, const Law& law, double last, charts::Ink ink, float width,
               bool predicted) {
        constexpr int pieces = 64;
        Series series;
        series.name = name;
        series.ink = ink;
        series.width = width;
        series.predicted = predicted;
        for (int i = 0; i <= pieces; ++i) {
            charts::Point point;
            point.x = std::pow(last, static_cast<double>(i) / pieces);
            point.y = law(point.x);
            if (point.y > 0) series.points.push_back(std::move(point));
        }
        chart_.series.push_back(std::move(series));
    }

    /// Beside the last place where the curve is inside the plot.
    template <typename Law>
    void name_curve(const std::string& name, const Law& law, double last, charts::Ink ink) {
        for (double p = last; p >= 1; p /= 1.05)
            if (const double at = law(p); at >= chart_.y.from && at <= chart_.y.to) {
                later_.push_back({p, at, name, ink, false, Label::Where::near, 0});
                return;
            }
    }

    void laws() {
        const auto f = figures_.serial_fraction;
        if (options_.law == ScalingLaw::amdahl) {
            if (const auto limit = figures_.limit()) {
                const double at = std::min(*limit, chart_.y.to);
                Series series;
                series.name = "infinitely fast device";
                series.ink = &Theme::text;
                series.width = 3;
                series.predicted = true;
                for (const double x : {1.0, chart_.x.to})
                    series.points.push_back({x, at, 0, {}, {}, 0});
                chart_.series.push_back(std::move(series));
                names_.push_back({0,
                                  {1, at,
                                   fmt::format("infinitely fast device: 1/f = {}, predicted",
                                               ratio_text(*limit)),
                                   &Theme::text, true, Label::Where::near, 0}});
            }
            if (f) {
                const auto law = [&](double p) { return profile::amdahl_bound(*f, p); };
                curve("Amdahl from the serial run's phases", law, workers_, &Theme::accent, 2,
                      true);
                name_curve(fmt::format("Amdahl, f = {}", percent_text(*f)), law, workers_,
                           &Theme::accent);
            }
            for (const runs::ScalingSeries& series : figures_.series) {
                if (!series.amdahl) continue;
                if (const std::string why = runs::why_no_amdahl(series); !why.empty()) {
                    chart_.left_out.push_back(why);
                    continue;
                }
                const double fitted = series.amdahl->value;
                curve(
                    series.name + ", Amdahl fitted",
                    [=](double p) { return profile::amdahl_bound(fitted, p); }, workers_,
                    ink_of(series), 1.2F, true);
            }
        }
        if (options_.law == ScalingLaw::gustafson && f) {
            const auto law = [&](double p) { return profile::gustafson(*f, p); };
            curve("Gustafson", law, workers_, &Theme::accent, 2, true);
            name_curve(fmt::format("Gustafson, f = {}", percent_text(*f)), law, workers_,
                       &Theme::accent);
        }
        if (options_.law == ScalingLaw::usl)
            for (const runs::ScalingSeries& series : figures_.series) {
                if (!series.usl) continue;
                if (const std::string why = runs::why_no_usl(series); !why.empty()) {
                    chart_.left_out.push_back(why);
                    continue;
                }
                curve(
                    series.name + ", USL fitted", [&](double p) { return series.usl->at(p); },
                    std::min(2 * series.usl->most_workers, workers_), ink_of(series), 1.8F, true);
            }
    }

    /// A device has no number of workers: it is drawn beside them.
    double place_of(const runs::ScalingSeries& series, unsigned workers) {
        if (!series.on_device()) return workers;
        return workers_ * 1.7 * std::pow(1.35, device_++ % 3);
    }

    void points() {
        for (std::size_t s = 0; s < figures_.series.size(); ++s) {
            const runs::ScalingSeries& of = figures_.series[s];
            Series series, reference;
            series.name = of.name;
            series.kind = reference.kind = charts::Kind::points;
            series.ink = ink_of(of);
            series.mark = mark_of(of);
            reference.name = "serial baseline";
            reference.ink = &Theme::serial;
            reference.mark = Mark::dash;
            for (std::size_t i = 0; i < of.points.size(); ++i) {
                const bool baseline =
                    of.strategy == "serial" && of.points[i].run == figures_.baseline;
                point(of, i, baseline ? reference : series);
            }
            for (Series* made : {&reference, &series})
                if (!made->points.empty()) chart_.series.push_back(std::move(*made));
        }
        if (fraction_ || !options_.so_far) return;
        const runs::RunningPoint& running = *options_.so_far;
        Series series;
        series.name = "this run so far";
        series.kind = charts::Kind::points;
        series.ink = ink_of(running.of);
        series.mark = mark_of(running.of);
        series.predicted = true;
        const double x = place_of(running.of, running.workers);
        series.points.push_back({x, running.speedup, 0, {}, point_words(running), 0});
        chart_.series.push_back(std::move(series));
        names_.push_back(
            {0,
             {x, running.speedup, fmt::format("so far {}", ratio_text(running.speedup)),
              &Theme::text, true, Label::Where::near, 0}});
    }

    void point(const runs::ScalingSeries& of, std::size_t i, Series& into) {
        const runs::ScalingPoint& at = of.points[i];
        const auto value = value_of(of, at);
        if (!value) return;
        if (fraction_ && !is_fraction(*value)) {
            chart_.left_out.push_back(fmt::format(
                "Karp–Flatt of {} on {} is {}: {}, so it is not a serial fraction and is not drawn",
                of.name, counted(at.workers, "worker"), percent_text(*value),
                *value > 1 ? "the run was slower than the serial run"
                           : "the speed-up exceeds the number of workers"));
            return;
        }
        charts::Point made;
        made.x = place_of(of, at.workers);
        made.y = *value;
        made.interval = interval_of(at);
        made.words = point_words(of, at);
        made.id = i;
        const bool reference = into.mark == Mark::dash;
        name_point(of, at, made, i + 1 == of.points.size(), reference);
        into.points.push_back(std::move(made));
    }

    void name_point(const runs::ScalingSeries& of, const runs::ScalingPoint& at,
                    const charts::Point& made, bool last, bool reference) {
        const std::string letter = at.run == options_.a ? "A " : at.run == options_.b ? "B " : "";
        const bool serial = of.strategy == "serial";
        if (letter.empty() && (!last || serial)) return;
        std::string words = letter;
        if (reference) words += "serial";
        // There is little room beside a device: its name is in the legend and the table.
        if (last && !serial && !of.on_device()) words += of.strategy + " ";
        if (!reference) words += fraction_ ? percent_text(made.y) : ratio_text(made.y);
        names_.push_back({letter.empty() ? 1 : 0,
                          {made.x, made.y, words, letter.empty() ? &Theme::text2 : &Theme::text,
                           !letter.empty(), Label::Where::near, 0}});
    }

    void legend() {
        const auto add = [&](Sign sign, charts::Ink ink, std::string label) {
            chart_.legend.push_back({sign, ink, std::move(label)});
        };
        if (!fraction_) add(Sign::line, &Theme::serial, "serial baseline, 1×");
        for (const runs::ScalingSeries& series : figures_.series) {
            if (series.strategy == "serial" || (fraction_ && series.on_device())) continue;
            add(Sign::filled, ink_of(series),
                fmt::format("{}: {}, measured with 95 % interval", name_of(mark_of(series)),
                            series.name));
            if (options_.law == ScalingLaw::amdahl && series.amdahl &&
                runs::why_no_amdahl(series).empty())
                add(Sign::dashed_line, ink_of(series),
                    fmt::format("{}: Amdahl fitted, f = {}", series.strategy,
                                percent_text(series.amdahl->value)));
            if (options_.law == ScalingLaw::usl && series.usl && runs::why_no_usl(series).empty())
                add(Sign::dashed_line, ink_of(series),
                    fmt::format("{}: USL fitted, σ = {}, κ = {}", series.strategy,
                                three_digits(series.usl->contention.value),
                                three_digits(series.usl->coherency.value)));
        }
        if (options_.law == ScalingLaw::amdahl && figures_.serial_fraction) {
            add(Sign::dashed_line, &Theme::accent,
                "Amdahl from the serial run's phases, predicted");
            add(Sign::dashed_line, &Theme::text, "infinitely fast device, predicted");
        }
        if (options_.law == ScalingLaw::gustafson && figures_.serial_fraction)
            add(Sign::dashed_line, &Theme::accent,
                "Gustafson, predicted for blocks that grow with the workers; the points are of the "
                "actual blocks");
        if (options_.so_far && !fraction_)
            add(Sign::hollow, ink_of(options_.so_far->of),
                "this run so far, from its finished blocks");
    }

    const runs::ScalingFigures& figures_;
    const ScalingChartOptions& options_;
    const bool fraction_; ///< Karp–Flatt: a fraction in place of a speed-up
    const bool devices_;
    const double workers_;
    unsigned device_ = 0;
    Chart chart_;
    std::vector<std::pair<int, Label>> names_;
    std::vector<Label> later_;
};

} // namespace

const char* name_of(ScalingLaw law) noexcept {
    static constexpr std::array names{"Amdahl", "Gustafson", "USL", "Karp–Flatt"};
    return names[std::min(static_cast<std::size_t>(law), names.size() - 1)];
}

charts::Ink ink_of(const runs::ScalingSeries& series) noexcept {
    if (series.backend == "vulkan") return &Theme::vulkan;
    if (series.backend == "cuda") return &Theme::cuda;
    return series.engine == "interpreter" ? &Theme::cpu_interpreter : &Theme::cpu_native;
}

Chart scaling_chart(const runs::ScalingFigures& figures, const ScalingChartOptions& options) {
    if (!figures.baseline.empty()) return ScalingChartMaker(figures, options).make();
    Chart chart;
    chart.title = fmt::format("Speed-up by number of workers: {}", name_of(options.law));
    chart.summary = "Speed-up by number of workers " + figures.missing;
    chart.left_out.push_back(chart.summary);
    return chart;
}

} // namespace blockloom::report
