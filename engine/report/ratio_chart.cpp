#include "report/ratio_chart.h"

#include "base/number_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace blockloom::report {

charts::Chart ratio_chart(double ratio, std::optional<profile::Interval> interval) {
    charts::Chart chart;
    chart.title = "Ratio of medians";
    chart.rows = true;
    if (!(ratio > 0)) {
        chart.left_out.emplace_back("There is no ratio");
        return chart;
    }
    chart.summary = fmt::format("A / B is {}", ratio_text(ratio));
    if (interval)
        chart.summary += fmt::format(", 95 % interval {} to {}", ratio_text(interval->low),
                                     ratio_text(interval->high));
    double low = std::min(1.0, ratio), high = std::max(1.0, ratio);
    if (interval) {
        low = std::max(std::min(low, interval->low), 1e-6);
        high = std::max(high, interval->high);
    }
    // Room for the marks at both ends, also where nothing differs.
    const double beside = std::pow(std::max(high / low, 1.02), 0.15);
    chart.y.scale = charts::Scale::doublings;
    chart.y.from = low / beside;
    chart.y.to = high * beside;
    chart.y.text = ratio_text;
    chart.y.named.push_back({1, ratio_text(1)});
    chart.x.from = -0.5;
    chart.x.to = 0.5;
    chart.x.unmarked = true;
    charts::Band same; // the line of no difference
    same.of_x = false;
    same.from = same.to = 1;
    same.ink = &scene::Theme::text;
    same.hatched = true;
    chart.bands.push_back(same);
    charts::Series series;
    series.name = "A / B";
    series.kind = charts::Kind::points;
    series.mark = charts::Mark::diamond;
    series.ink = interval && interval->holds(1) ? &scene::Theme::text2
                 : ratio >= 1                   ? &scene::Theme::ok
                                                : &scene::Theme::warning;
    charts::Point point;
    point.y = ratio;
    point.interval = interval;
    point.words = chart.summary;
    series.points.push_back(std::move(point));
    chart.series.push_back(std::move(series));
    chart.labels.push_back(
        {0, ratio, ratio_text(ratio), &scene::Theme::text, false, charts::Label::Where::near, 0});
    return chart;
}

} // namespace blockloom::report
