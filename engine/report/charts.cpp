#include "report/charts.h"

#include "base/number_text.h"
#include "report/html_style.h"
#include "report/markup.h"
#include "scene/tick_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <vector>

namespace blockloom::report {
namespace {

std::string open_svg(int width, int height, const std::string& title, const char* cls = "") {
    return fmt::format("<svg viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
                       "role=\"img\"{3}><title>{2}</title>",
                       width, height, escaped(title), cls);
}

/// Values in at most `most` bars: each the mean of as many neighbours.
struct Bars {
    std::vector<double> values;
    std::size_t each = 1;
};

Bars folded(const std::vector<double>& values, std::size_t most) {
    Bars bars;
    bars.each = std::max<std::size_t>(1, (values.size() + most - 1) / most);
    for (std::size_t at = 0; at < values.size(); at += bars.each) {
        const std::size_t end = std::min(at + bars.each, values.size());
        double sum = 0;
        for (std::size_t i = at; i < end; ++i) sum += values[i];
        bars.values.push_back(sum / static_cast<double>(end - at));
    }
    return bars;
}

/// 0 … 1 for 1 … `most` on a logarithmic scale that leaves room below 1, so that a bar of 1 can be
/// seen.
double log_part(double value, double most) {
    if (value <= 0) return 0;
    return (std::log10(std::max(value, 1.0)) + 0.15) / (std::log10(std::max(most, 10.0)) + 0.15);
}

/// 1, 10, 100 … up to the power of ten above `most`.
double decade_above(double most) {
    return std::pow(10.0, std::ceil(std::log10(std::max(most, 10.0)) - 1e-9));
}

/// Horizontal lines at powers of ten with their values, for a plot between left, right, top and
/// bottom.
void log_axis(std::string& svg, double most, int left, int right, int top, int bottom) {
    auto out = std::back_inserter(svg);
    for (double value = 1; value <= most; value *= 10) {
        const double y = bottom - (bottom - top) * log_part(value, most);
        fmt::format_to(out,
                       "<line class=\"tick\" x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/>",
                       left, right, y);
        fmt::format_to(out, "<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>", left - 6,
                       y + 3.5, count_text(static_cast<std::uint64_t>(std::llround(value))));
    }
    fmt::format_to(out, "<line class=\"axis\" x1=\"{0}\" x2=\"{1}\" y1=\"{2}\" y2=\"{2}\"/>", left,
                   right, bottom);
}

/// At most about `labels` places along 0 … count − 1, the first and the last among them.
std::vector<std::size_t> label_places(std::size_t count, std::size_t labels) {
    std::vector<std::size_t> places;
    if (count == 0) return places;
    std::size_t step = 1;
    for (const std::size_t factor : {2UL, 5UL, 10UL, 20UL, 50UL, 100UL, 200UL, 500UL, 1000UL})
        if (count / step > labels) step = factor;
    for (std::size_t at = 0; at + step / 2 < count; at += step) places.push_back(at);
    if (places.back() != count - 1) {
        if (count - 1 - places.back() < (step + 1) / 2 + 1 && places.size() > 1) places.pop_back();
        places.push_back(count - 1);
    }
    return places;
}

std::vector<double> level_values(const conflict::ConflictIndex& index) {
    return {index.level_sizes.begin(), index.level_sizes.end()};
}

} // namespace

std::string level_chart(const conflict::ConflictIndex& index) {
    constexpr int width = 520, height = 220, left = 48, right = 510, top = 12, bottom = 180;
    const Bars bars = folded(level_values(index), 400);
    if (bars.values.empty()) return "<p class=\"quiet\">No task, no level.</p>";
    const double most = decade_above(*std::max_element(bars.values.begin(), bars.values.end()));
    std::string svg = open_svg(width, height,
                               fmt::format("Tasks in each of {} levels, logarithmic",
                                           count_text(index.level_sizes.size())));
    auto out = std::back_inserter(svg);
    log_axis(svg, most, left, right, top, bottom);
    const double step =
        std::min(40.0, static_cast<double>(right - left) / static_cast<double>(bars.values.size()));
    const double gap = step > 4 ? 1.5 : 0;
    for (std::size_t i = 0; i < bars.values.size(); ++i) {
        const double bar = (bottom - top) * log_part(bars.values[i], most);
        fmt::format_to(out,
                       "<rect class=\"ramp\" style=\"{}\" x=\"{:.2f}\" y=\"{:.1f}\" "
                       "width=\"{:.2f}\" height=\"{:.1f}\">",
                       ramp_style(i, bars.values.size()),
                       left + step * static_cast<double>(i) + gap / 2, bottom - bar, step - gap,
                       bar);
        fmt::format_to(out, "<title>level {}: {} tasks</title></rect>", i * bars.each + 1,
                       three_digits(bars.values[i]));
    }
    for (const std::size_t i : label_places(bars.values.size(), 12))
        fmt::format_to(out, "<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                       left + step * (static_cast<double>(i) + 0.5), bottom + 15,
                       count_text(i * bars.each + 1));
    fmt::format_to(out, "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">level{}</text></svg>", right,
                   height - 6, bars.each == 1 ? "" : fmt::format(", {} a bar (mean)", bars.each));
    return svg;
}

std::string level_sparkline(const conflict::ConflictIndex& index) {
    constexpr int width = 96, height = 20;
    const Bars bars = folded(level_values(index), 48);
    if (bars.values.empty()) return "—";
    const double most = *std::max_element(bars.values.begin(), bars.values.end());
    std::string svg = open_svg(width, height, "tasks per level", " class=\"spark\"");
    auto out = std::back_inserter(svg);
    const double step =
        std::min(6.0, static_cast<double>(width) / static_cast<double>(bars.values.size()));
    for (std::size_t i = 0; i < bars.values.size(); ++i) {
        const double bar = height * log_part(bars.values[i], most);
        fmt::format_to(out,
                       "<rect class=\"ramp\" style=\"{}\" x=\"{:.2f}\" y=\"{:.1f}\" "
                       "width=\"{:.2f}\" height=\"{:.1f}\"/>",
                       ramp_style(i, bars.values.size()), step * static_cast<double>(i),
                       height - bar, std::max(0.8, step - 0.6), bar);
    }
    return svg + "</svg>";
}

std::string speedup_chart(const schedule::BlockAnalysis& analysis) {
    constexpr int width = 520, height = 220, left = 44, right = 396, top = 12, bottom = 180;
    const auto work = static_cast<double>(analysis.index->work);
    if (analysis.makespans.empty() || work <= 0)
        return "<p class=\"quiet\">No task to schedule.</p>";
    const auto rows = [&] {
        auto sorted = analysis.makespans;
        std::sort(sorted.begin(), sorted.end(),
                  [](auto& a, auto& b) { return a.workers < b.workers; });
        return sorted;
    }();
    struct Series {
        const char* name;
        const char* cls;
        std::uint64_t schedule::Makespans::*makespan;
    };
    static constexpr std::array<Series, 3> series{
        Series{"list", "one", &schedule::Makespans::list},
        {"levels", "two", &schedule::Makespans::levels},
        {"optimistic", "three", &schedule::Makespans::optimistic}};
    const auto speedup = [work](std::uint64_t makespan) {
        return work / static_cast<double>(std::max<std::uint64_t>(makespan, 1));
    };
    double most = 1;
    for (const auto& row : rows)
        for (const Series& s : series) most = std::max(most, speedup(row.*s.makespan));
    most *= 1.12; // room for the name of the limit
    const double last = std::log2(static_cast<double>(std::max(rows.back().workers, 2U)));
    const auto x = [&](std::uint32_t workers) {
        return left + 10 +
               (right - left - 20) * std::log2(static_cast<double>(std::max(workers, 1U))) / last;
    };
    const auto y = [&](double value) { return bottom - (bottom - top) * value / most; };

    std::string svg =
        open_svg(width, height, "Predicted speed-up over workers: list, levels and optimistic");
    auto out = std::back_inserter(svg);
    const double every = scene::tick_step(most, 5);
    for (double value = 0; value <= most; value += every) {
        fmt::format_to(out,
                       "<line class=\"tick\" x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/>",
                       left, right, y(value));
        fmt::format_to(out, "<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}×</text>", left - 6,
                       y(value) + 3.5, fmt::format("{:g}", value));
    }
    const double limit = analysis.index->parallelism();
    if (limit <= most) {
        fmt::format_to(out,
                       "<line class=\"limit\" x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\" "
                       "stroke-width=\"1.5\"/>",
                       left, right, y(limit));
        fmt::format_to(out, "<text x=\"{}\" y=\"{:.1f}\">limit {}× (parallelism)</text>", left + 6,
                       y(limit) - 5, three_digits(limit));
    }
    fmt::format_to(out, "<line class=\"axis\" x1=\"{0}\" x2=\"{1}\" y1=\"{2}\" y2=\"{2}\"/>", left,
                   right, bottom);
    for (const auto& row : rows)
        fmt::format_to(out, "<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                       x(row.workers), bottom + 15, count_text(row.workers));
    fmt::format_to(out, "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">workers</text>", right,
                   bottom + 32);

    // Names beside the last points, moved apart where they would overlap.
    std::array<double, 3> label{};
    for (std::size_t s = 0; s < series.size(); ++s) {
        std::string points;
        for (const auto& row : rows)
            points +=
                fmt::format("{:.1f},{:.1f} ", x(row.workers), y(speedup(row.*series[s].makespan)));
        fmt::format_to(out, "<polyline class=\"series {}\" points=\"{}\"/>", series[s].cls, points);
        for (const auto& row : rows)
            fmt::format_to(out, "<circle class=\"point {}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"/>",
                           series[s].cls, x(row.workers), y(speedup(row.*series[s].makespan)));
        label[s] = y(speedup(rows.back().*series[s].makespan)) + 4;
    }
    std::array<std::size_t, 3> order{0, 1, 2};
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return label[a] < label[b]; });
    for (std::size_t i = 1; i < order.size(); ++i)
        label[order[i]] = std::max(label[order[i]], label[order[i - 1]] + 14);
    for (std::size_t s = 0; s < series.size(); ++s) {
        fmt::format_to(
            out, "<line class=\"series {0}\" x1=\"{1}\" x2=\"{2}\" y1=\"{3:.1f}\" y2=\"{3:.1f}\"/>",
            series[s].cls, right + 8, right + 24, label[s] - 4);
        fmt::format_to(out, "<text x=\"{}\" y=\"{:.1f}\">{} {}×</text>", right + 29, label[s],
                       series[s].name, three_digits(speedup(rows.back().*series[s].makespan)));
    }
    return svg + "</svg>";
}

std::string range_chart(const range::Range& range) {
    constexpr int width = 1080, height = 190, left = 52, right = 1070, top = 10, bottom = 150;
    std::vector<double> values;
    for (const auto& record : range.blocks) values.push_back(record->analysis.index->parallelism());
    const Bars bars = folded(values, 240);
    const double most = decade_above(*std::max_element(bars.values.begin(), bars.values.end()));
    std::string svg = open_svg(width, height, "Predicted parallelism of each block, logarithmic");
    auto out = std::back_inserter(svg);
    log_axis(svg, most, left, right, top, bottom);
    const double step = std::min(112.0, static_cast<double>(right - left) /
                                            static_cast<double>(bars.values.size()));
    const double gap = step > 12 ? step * 0.3 : step > 4 ? 2 : 0;
    for (std::size_t i = 0; i < bars.values.size(); ++i) {
        const double bar = (bottom - top) * log_part(bars.values[i], most);
        const double x = left + step * static_cast<double>(i) + gap / 2;
        const std::string& label = range.blocks[i * bars.each]->trace->block.label;
        // Dashes need room: narrow bars are hollow with a plain outline.
        fmt::format_to(out,
                       "<rect class=\"hollow\"{} x=\"{:.2f}\" y=\"{:.1f}\" width=\"{:.2f}\" "
                       "height=\"{:.1f}\">",
                       step - gap < 6 ? " style=\"stroke-dasharray:none;stroke-width:.8\"" : "", x,
                       bottom - bar, std::max(0.5, step - gap), bar);
        fmt::format_to(out, "<title>block {}: parallelism {}</title></rect>", escaped(label),
                       three_digits(bars.values[i]));
        if (step >= 40)
            fmt::format_to(out, "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>",
                           x + (step - gap) / 2, bottom - bar - 4, three_digits(bars.values[i]));
    }
    const auto labels = static_cast<std::size_t>(static_cast<double>(right - left) / 90);
    for (const std::size_t i : label_places(bars.values.size(), labels))
        fmt::format_to(out, "<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                       left + step * (static_cast<double>(i) + 0.5), bottom + 15,
                       escaped(range.blocks[i * bars.each]->trace->block.label));
    fmt::format_to(out, "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">block{}</text></svg>", right,
                   height - 6, bars.each == 1 ? "" : fmt::format(", {} a bar (mean)", bars.each));
    return svg;
}

} // namespace blockloom::report
