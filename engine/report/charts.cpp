#include "report/charts.h"

#include "base/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace blockloom::report {
namespace {

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

std::vector<double> level_values(const conflict::ConflictIndex& index) {
    return {index.level_sizes.begin(), index.level_sizes.end()};
}

} // namespace

charts::Chart level_chart(const conflict::ConflictIndex& index,
                          std::optional<std::uint32_t> marked) {
    charts::Chart chart;
    chart.title = fmt::format("Tasks in each of {}, logarithmic scale",
                              counted(index.level_sizes.size(), "level"));
    chart.summary = chart.title;
    const Bars bars = folded(level_values(index), 400);
    if (bars.values.empty()) {
        chart.left_out.emplace_back("No tasks, so no levels");
        return chart;
    }
    constexpr double least = 0.7; // so that a bar of 1 is visible
    charts::Series series;
    series.name = "tasks";
    series.kind = charts::Kind::bars;
    series.ramp = true;
    chart.x.title = bars.each == 1 ? "level" : fmt::format("level, {} per bar (mean)", bars.each);
    chart.x.from = -0.5;
    chart.x.to = std::max(static_cast<double>(bars.values.size()), 8.0) - 0.5; // no bar too wide
    chart.y.title = "tasks";
    chart.y.scale = charts::Scale::decades;
    chart.y.from = least;
    chart.y.to = decade_above(*std::max_element(bars.values.begin(), bars.values.end()));
    for (std::size_t i = 0; i < bars.values.size(); ++i) {
        charts::Point point;
        point.x = static_cast<double>(i);
        point.from = least;
        point.y = std::max(bars.values[i], least);
        point.words =
            fmt::format("level {}: {} tasks", i * bars.each + 1, three_digits(bars.values[i]));
        chart.x.named.push_back({point.x, count_text(i * bars.each + 1)});
        series.points.push_back(std::move(point));
    }
    chart.series.push_back(std::move(series));
    if (marked && *marked >= 1 && *marked <= index.level_sizes.size()) {
        charts::Band band;
        const auto bar = static_cast<double>((*marked - 1) / bars.each);
        band.from = bar - 0.5;
        band.to = bar + 0.5;
        band.ink = &scene::Theme::pick;
        chart.bands.push_back(std::move(band));
        chart.summary += fmt::format("; the selected task is in level {}", count_text(*marked));
    }
    return chart;
}

std::vector<double> level_sparkline(const conflict::ConflictIndex& index) {
    Bars bars = folded(level_values(index), 48);
    if (bars.values.empty()) return {};
    const double most = *std::max_element(bars.values.begin(), bars.values.end());
    for (double& value : bars.values) value = log_part(value, most);
    return std::move(bars.values);
}

charts::Chart speedup_chart(const schedule::BlockAnalysis& analysis) {
    charts::Chart chart;
    chart.title = "Predicted speed-up by number of workers: list, levels and optimistic";
    chart.summary = chart.title;
    const auto work = static_cast<double>(analysis.index->work);
    if (analysis.makespans.empty() || work <= 0) {
        chart.left_out.emplace_back("There is no task to schedule");
        return chart;
    }
    auto rows = analysis.makespans;
    std::sort(rows.begin(), rows.end(),
              [](const auto& a, const auto& b) { return a.workers < b.workers; });
    struct Strategy {
        const char* name;
        charts::Ink ink;
        std::uint64_t schedule::Makespans::*makespan;
    };
    static constexpr std::array<Strategy, 3> strategies{
        Strategy{"list", &scene::Theme::vulkan, &schedule::Makespans::list},
        {"levels", &scene::Theme::cpu_native, &schedule::Makespans::levels},
        {"optimistic", &scene::Theme::cpu_interpreter, &schedule::Makespans::optimistic}};
    double most = 1;
    for (const Strategy& strategy : strategies) {
        charts::Series line, points;
        line.name = points.name = strategy.name;
        line.ink = points.ink = strategy.ink;
        line.predicted = points.predicted = true;
        points.kind = charts::Kind::points;
        for (const auto& row : rows) {
            charts::Point point;
            point.x = std::max(row.workers, 1U);
            point.y =
                work / static_cast<double>(std::max<std::uint64_t>(row.*strategy.makespan, 1));
            most = std::max(most, point.y);
            point.words = fmt::format("{}, {}: {}×, predicted", strategy.name,
                                      counted(row.workers, "worker"), three_digits(point.y));
            line.points.push_back(point);
            points.points.push_back(std::move(point));
        }
        const charts::Point& last = line.points.back();
        chart.labels.push_back({last.x, last.y,
                                fmt::format("{} {}×", strategy.name, three_digits(last.y)),
                                &scene::Theme::text2, false, charts::Label::Where::near, 0});
        chart.summary += fmt::format("; {}", last.words);
        for (charts::Point& point : line.points)
            point.words.clear(); // the marks have the same text
        chart.series.push_back(std::move(line));
        chart.series.push_back(std::move(points));
    }
    chart.x.title = "workers";
    chart.x.scale = charts::Scale::doublings;
    chart.x.from = 0.9;
    chart.x.to = std::max<double>(rows.back().workers, 2) * 2.2; // room for the names
    for (const auto& row : rows)
        chart.x.named.push_back(
            {static_cast<double>(std::max(row.workers, 1U)), count_text(row.workers)});
    chart.y.title = "speed-up, predicted";
    chart.y.text = ratio_text;
    chart.y.to = most * 1.12;
    const double limit = analysis.index->parallelism();
    if (limit <= chart.y.to) {
        charts::Band band;
        band.of_x = false;
        band.from = band.to = limit;
        band.ink = &scene::Theme::critical;
        band.label = fmt::format("limit {}× (parallelism)", three_digits(limit));
        chart.bands.push_back(std::move(band));
    }
    return chart;
}

charts::Chart range_chart(const range::Range& range) {
    charts::Chart chart;
    chart.title = "Predicted parallelism of each block, logarithmic scale";
    chart.summary = chart.title;
    std::vector<double> values;
    for (const auto& record : range.blocks) values.push_back(record->analysis.index->parallelism());
    const Bars bars = folded(values, 240);
    if (bars.values.empty()) return chart;
    charts::Series series;
    series.name = "parallelism";
    series.kind = charts::Kind::bars;
    series.predicted = true;
    constexpr double least = 0.7; // a bar of 1 can be seen
    chart.x.title = bars.each == 1 ? "block" : fmt::format("block, {} per bar (mean)", bars.each);
    chart.x.from = -0.5;
    chart.x.to = static_cast<double>(bars.values.size()) - 0.5;
    chart.y.title = "parallelism, predicted";
    chart.y.scale = charts::Scale::decades;
    chart.y.from = least;
    chart.y.to = decade_above(*std::max_element(bars.values.begin(), bars.values.end()));
    for (std::size_t i = 0; i < bars.values.size(); ++i) {
        const std::string& label = range.blocks[i * bars.each]->trace->block.label;
        charts::Point point;
        point.x = static_cast<double>(i);
        point.from = least;
        point.y = std::max(bars.values[i], least);
        point.words = fmt::format("block {}: parallelism {}", label, three_digits(bars.values[i]));
        chart.x.named.push_back({point.x, label});
        if (bars.values.size() <= 24)
            chart.labels.push_back({point.x, point.y, three_digits(bars.values[i]),
                                    &scene::Theme::text2, false, charts::Label::Where::near, 0});
        series.points.push_back(std::move(point));
    }
    chart.series.push_back(std::move(series));
    return chart;
}

} // namespace blockloom::report
