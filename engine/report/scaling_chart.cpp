#include "report/scaling_chart.h"

#include "base/number_text.h"
#include "report/plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace blockloom::report {
namespace {

constexpr float left = 54, right = 16, top = 30, bottom = 42, device_room = 150;

scene::Shape shape_of(const runs::ScalingSeries& series) {
    if (series.backend == "vulkan") return scene::Shape::diamond;
    if (series.backend == "cuda") return scene::Shape::triangle;
    return series.engine == "interpreter" ? scene::Shape::square : scene::Shape::circle;
}

bool any_device(const runs::ScalingFigures& figures,
                const std::optional<runs::RunningPoint>& so_far) {
    return (so_far && so_far->of.on_device()) ||
           std::any_of(figures.series.begin(), figures.series.end(),
                       [](const runs::ScalingSeries& at) { return at.on_device(); });
}

double value_of(const runs::ScalingPoint& point, ScalingLaw law) {
    return law == ScalingLaw::karp_flatt ? point.karp_flatt.value_or(0) : point.speedup;
}
const std::optional<profile::Interval>& interval_of(const runs::ScalingPoint& point,
                                                    ScalingLaw law) {
    return law == ScalingLaw::karp_flatt ? point.karp_flatt_interval : point.interval;
}
bool drawn(const runs::ScalingSeries& series, const runs::ScalingPoint& point, ScalingLaw law) {
    return law != ScalingLaw::karp_flatt || (!series.on_device() && point.karp_flatt);
}

/// How far the workers' axis goes: laws are drawn a little beyond what was measured.
double last_worker(const runs::ScalingFigures& figures, ScalingLaw law,
                   const std::optional<runs::RunningPoint>& so_far) {
    const unsigned running = so_far && !so_far->of.on_device() ? so_far->workers : 1;
    const double most = std::exp2(std::ceil(std::log2(std::max(figures.most_workers(), running))));
    if (law == ScalingLaw::karp_flatt) return std::max(most, 2.0);
    if (law == ScalingLaw::usl) return std::max(2 * most, 4.0);
    return std::max(8 * most, 16.0);
}

struct Ends {
    double low = 1, high = 2;
    void take(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
};

Ends values_of(const runs::ScalingFigures& figures, ScalingLaw law, double workers,
               const std::optional<runs::RunningPoint>& so_far) {
    Ends ends;
    if (law == ScalingLaw::karp_flatt)
        ends = {0, 0.1};
    else if (so_far)
        ends.take(so_far->speedup);
    for (const runs::ScalingSeries& series : figures.series)
        for (const runs::ScalingPoint& point : series.points) {
            if (!drawn(series, point, law)) continue;
            ends.take(value_of(point, law));
            if (const auto& interval = interval_of(point, law)) {
                ends.take(interval->low);
                ends.take(interval->high);
            }
        }
    if (law == ScalingLaw::karp_flatt) return ends;
    // A bound far above all points would press them together.
    if (const auto limit = figures.limit(); limit && law == ScalingLaw::amdahl)
        ends.take(std::min(*limit * 1.15, 64 * ends.high));
    if (law == ScalingLaw::gustafson && figures.serial_fraction)
        ends.take(profile::gustafson(*figures.serial_fraction, workers));
    if (law == ScalingLaw::usl) ends.take(workers / 2);
    ends.low = std::exp2(std::floor(std::log2(std::max(ends.low, 1e-3)) + 1e-9));
    ends.high = std::exp2(std::ceil(std::log2(ends.high) - 1e-9));
    return ends;
}

std::string letter_of(const runs::ScalingPoint& point, const ScalingChartOptions& options) {
    if (point.run == options.a) return "A ";
    return point.run == options.b ? "B " : "";
}

class Maker {
public:
    Maker(const runs::ScalingFigures& figures, const ScalingChartOptions& options)
        : figures_(figures), options_(options), theme_(*options.theme),
          devices_(options.law != ScalingLaw::karp_flatt && any_device(figures, options.so_far)),
          workers_(last_worker(figures, options.law, options.so_far)),
          plot_(theme_, x_axis(), y_axis()) {}

    ScalingChart make() && {
        const bool fraction = options_.law == ScalingLaw::karp_flatt;
        const auto rows =
            static_cast<std::size_t>(std::max((options_.height - top - bottom) / 28, 2.0F));
        plot_.grid(
            plot_.x.ticks(12), plot_.y.ticks(rows),
            [](double value) { return fmt::format("{:g}", value); },
            [&](double value) {
                return fraction    ? percent_text(value)
                       : value < 1 ? fmt::format("1/{:g}×", 1 / value)
                                   : fmt::format("{:g}×", value);
            },
            "workers (doublings)",
            fraction ? "serial fraction that explains the measured speed-up"
                     : "speed-up against the serial run (doublings)");
        if (!fraction) {
            plot_.curve([](double p) { return p; }, 1, workers_, theme_.control_border, 1, false);
            name_curve(
                "linear", [](double p) { return p; }, workers_, theme_.text3);
        }
        laws();
        points();
        ScalingChart chart;
        chart.points = std::move(points_);
        chart.list = std::move(plot_).finish(options_.width, options_.height, summary());
        return chart;
    }

private:
    [[nodiscard]] PlotAxis x_axis() const {
        return {1, workers_, left + 8, options_.width - right - (devices_ ? device_room : 0), true};
    }
    [[nodiscard]] PlotAxis y_axis() const {
        const Ends ends = values_of(figures_, options_.law, workers_, options_.so_far);
        return {ends.low, ends.high, options_.height - bottom, top,
                options_.law != ScalingLaw::karp_flatt};
    }

    /// Beside the last place where the curve is inside the plot.
    void name_curve(const std::string& name, const std::function<double(double)>& value,
                    double last, scene::Colour colour) {
        for (double p = last; p >= 1; p /= 1.05)
            if (const float at = plot_.y.at(value(p)); at >= plot_.y.end && at <= plot_.y.begin) {
                later_.push_back({{plot_.x.at(p), at}, name, colour, scene::Face::text});
                return;
            }
    }

    void laws() {
        const auto f = figures_.serial_fraction;
        if (options_.law == ScalingLaw::amdahl) {
            if (const auto limit = figures_.limit(); limit) {
                const float at = std::max(plot_.y.at(*limit), plot_.y.end);
                plot_.line({plot_.x.begin, at}, {options_.width - right, at}, theme_.text, 3, true);
                plot_.label(
                    {{plot_.x.begin - 4, at - 10},
                     fmt::format("infinitely fast device: 1/f = {}, predicted", ratio_text(*limit)),
                     theme_.text,
                     scene::Face::medium});
            }
            if (f) {
                const auto law = [&](double p) { return profile::amdahl_bound(*f, p); };
                plot_.curve(law, 1, workers_, theme_.accent, 2, true);
                name_curve(fmt::format("Amdahl, f = {}", percent_text(*f)), law, workers_,
                           theme_.accent);
            }
            for (const runs::ScalingSeries& series : figures_.series) {
                if (!series.amdahl) continue;
                const double fitted = series.amdahl->value;
                plot_.curve([=](double p) { return profile::amdahl_bound(fitted, p); }, 1, workers_,
                            backend_colour(series, theme_), 1.2F, true);
            }
        }
        if (options_.law == ScalingLaw::gustafson && f) {
            const auto law = [&](double p) { return profile::gustafson(*f, p); };
            plot_.curve(law, 1, workers_, theme_.accent, 2, true);
            name_curve(fmt::format("Gustafson, f = {}", percent_text(*f)), law, workers_,
                       theme_.accent);
        }
        if (options_.law == ScalingLaw::usl)
            for (const runs::ScalingSeries& series : figures_.series) {
                if (!series.usl) continue;
                const double last = std::min(2 * series.usl->most_workers, workers_);
                plot_.curve([&](double p) { return series.usl->at(p); }, 1, last,
                            backend_colour(series, theme_), 1.8F, true);
            }
    }

    /// `x` of a point: its workers, or its place among the devices.
    float place(const runs::ScalingSeries& series, const runs::ScalingPoint& point) {
        if (!series.on_device()) return plot_.x.at(point.workers);
        return plot_.x.end + 26 + 14 * static_cast<float>(device_++ % 3);
    }

    void points() {
        if (devices_) {
            const float border = plot_.x.end + 10;
            plot_.line({border, plot_.y.end}, {border, plot_.y.begin}, theme_.control_border, 1,
                       true);
            plot_.text({{border + 8, plot_.y.begin + 13},
                        "device",
                        theme_.text2,
                        11,
                        scene::Anchor::left,
                        scene::Face::text});
        }
        for (std::size_t s = 0; s < figures_.series.size(); ++s) {
            const runs::ScalingSeries& series = figures_.series[s];
            for (std::size_t i = 0; i < series.points.size(); ++i) point(s, i);
        }
        if (options_.so_far && options_.law != ScalingLaw::karp_flatt) running(*options_.so_far);
        // What was chosen is named first; curves take what room is left.
        std::stable_sort(names_.begin(), names_.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        for (auto& [rank, label] : names_) plot_.label(std::move(label));
        for (PlotLabel& label : later_) plot_.label(std::move(label));
    }

    void running(const runs::RunningPoint& so_far) {
        const float x = so_far.of.on_device() ? plot_.x.end + 26 + 14 * static_cast<float>(device_)
                                              : plot_.x.at(so_far.workers);
        const scene::Point where{x, plot_.y.at(so_far.speedup)};
        plot_.mark(where, shape_of(so_far.of), backend_colour(so_far.of, theme_), where.y, where.y,
                   true);
        names_.push_back({0,
                          {where, fmt::format("so far {}", ratio_text(so_far.speedup)), theme_.text,
                           scene::Face::medium}});
    }

    void point(std::size_t s, std::size_t i) {
        const runs::ScalingSeries& series = figures_.series[s];
        const runs::ScalingPoint& at = series.points[i];
        if (!drawn(series, at, options_.law)) return;
        const bool serial = series.strategy == "serial";
        const scene::Point where{place(series, at), plot_.y.at(value_of(at, options_.law))};
        float low = where.y, high = where.y;
        if (const auto& interval = interval_of(at, options_.law)) {
            low = plot_.y.at(interval->low);
            high = plot_.y.at(interval->high);
        }
        if (serial && at.run == figures_.baseline)
            plot_.dash_mark(where, theme_.serial);
        else
            plot_.mark(where, shape_of(series), backend_colour(series, theme_), low, high);
        points_.push_back({where, s, i});
        const std::string letter = letter_of(at, options_);
        const bool last = i + 1 == series.points.size();
        if (letter.empty() && (!last || serial)) return;
        std::string words = letter;
        if (serial && at.run == figures_.baseline) words += "serial";
        if (last && !serial) words += series.on_device() ? series.device : series.strategy;
        const double value = value_of(at, options_.law);
        if (!serial || at.run != figures_.baseline)
            words += fmt::format("{}{}", words.empty() || words == letter ? "" : " ",
                                 options_.law == ScalingLaw::karp_flatt ? percent_text(value)
                                                                        : ratio_text(value));
        if (series.on_device() && plot_text_width(words, 11) > device_room - 60) {
            // Beside a device there is little room: its name is in the legend and the table.
            words = letter + ratio_text(value);
        }
        names_.push_back({letter.empty() ? 1 : 0,
                          {where, words, letter.empty() ? theme_.text2 : theme_.text,
                           letter.empty() ? scene::Face::text : scene::Face::medium}});
    }

    [[nodiscard]] std::string summary() const {
        std::string words =
            fmt::format("{}. {}", name_of(options_.law), fmt::join(scaling_words(figures_), ". "));
        if (options_.so_far) words += ". " + point_words(*options_.so_far);
        return words;
    }

    const runs::ScalingFigures& figures_;
    const ScalingChartOptions& options_;
    const scene::Theme& theme_;
    bool devices_;
    double workers_;
    unsigned device_ = 0;
    Plot plot_;
    std::vector<ChartPoint> points_;
    std::vector<std::pair<int, PlotLabel>> names_;
    std::vector<PlotLabel> later_;
};

} // namespace

const char* name_of(ScalingLaw law) noexcept {
    static constexpr std::array names{"Amdahl", "Gustafson", "USL", "Karp–Flatt"};
    return names[std::min(static_cast<std::size_t>(law), names.size() - 1)];
}

scene::Colour backend_colour(const runs::ScalingSeries& series, const scene::Theme& theme) {
    if (series.backend == "vulkan") return theme.vulkan;
    if (series.backend == "cuda") return theme.cuda;
    return series.engine == "interpreter" ? theme.cpu_interpreter : theme.cpu_native;
}

ScalingChart scaling_chart(const runs::ScalingFigures& figures,
                           const ScalingChartOptions& options) {
    if (figures.baseline.empty()) {
        ScalingChart empty;
        empty.list.background = options.theme->canvas;
        empty.list.world = {0, 0, options.width, options.height};
        empty.list.summary = figures.missing;
        return empty;
    }
    return Maker(figures, options).make();
}

std::vector<scene::OverlayLegend> scaling_legend(const runs::ScalingFigures& figures,
                                                 ScalingLaw law, const scene::Theme& theme) {
    using Sign = scene::OverlayLegend::Sign;
    std::vector<scene::OverlayLegend> legend;
    const auto add = [&](Sign sign, scene::Colour colour, std::string label) {
        scene::OverlayLegend item;
        item.sign = sign;
        item.colour = colour;
        item.label = std::move(label);
        legend.push_back(std::move(item));
    };
    if (figures.baseline.empty()) return legend;
    if (law != ScalingLaw::karp_flatt) add(Sign::line, theme.serial, "serial reference, 1×");
    for (const runs::ScalingSeries& series : figures.series) {
        if (series.strategy == "serial" || (law == ScalingLaw::karp_flatt && series.on_device()))
            continue;
        static constexpr std::array shapes{"square", "circle", "diamond", "triangle"};
        add(Sign::filled, backend_colour(series, theme),
            fmt::format("{}: {}, measured with 95 % interval",
                        shapes[static_cast<std::size_t>(shape_of(series))], series.name));
        if (law == ScalingLaw::amdahl && series.amdahl)
            add(Sign::dashed_line, backend_colour(series, theme),
                fmt::format("{}: Amdahl fitted, f = {}", series.strategy,
                            percent_text(series.amdahl->value)));
        if (law == ScalingLaw::usl && series.usl)
            add(Sign::dashed_line, backend_colour(series, theme),
                fmt::format("{}: USL fitted, σ = {}, κ = {}", series.strategy,
                            three_digits(series.usl->contention.value),
                            three_digits(series.usl->coherency.value)));
    }
    if (law == ScalingLaw::amdahl && figures.serial_fraction) {
        add(Sign::dashed_line, theme.accent, "Amdahl from the serial run's phases, predicted");
        add(Sign::dashed_line, theme.text, "infinitely fast device, predicted");
    }
    if (law == ScalingLaw::gustafson && figures.serial_fraction)
        add(Sign::dashed_line, theme.accent,
            "Gustafson, predicted: blocks that grow with the workers; points are of blocks as they "
            "are");
    return legend;
}

} // namespace blockloom::report
