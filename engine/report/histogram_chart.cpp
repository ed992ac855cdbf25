#include "report/histogram_chart.h"

#include "base/number_text.h"
#include "charts/plain_table.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace blockloom::report {
namespace {

using charts::PlainTable;

std::string time_of(double nanoseconds) {
    return time_text(static_cast<Nanoseconds>(std::llround(nanoseconds)));
}
std::string count_of(double count) {
    return count_text(static_cast<std::uint64_t>(std::llround(std::max(count, 0.0))));
}
/// A logarithmic axis has no 0: a length of 0 ns is drawn at a half.
double place_of(Nanoseconds nanoseconds) {
    return std::max(static_cast<double>(nanoseconds), 0.5);
}

} // namespace

charts::Chart histogram_chart(const profile::Histogram& lengths,
                              const std::vector<profile::Histogram::Bucket>& bins,
                              const HistogramChartOptions& options) {
    charts::Chart chart;
    chart.title = "Histogram of span lengths";
    if (bins.empty()) {
        chart.summary = "No spans";
        chart.left_out.emplace_back("There are no spans of this kind here");
        return chart;
    }
    chart.x.title = "length";
    chart.x.scale = charts::Scale::decades;
    chart.x.from = place_of(bins.front().low);
    chart.x.to = static_cast<double>(bins.back().high) + 1;
    chart.x.text = time_of;
    std::uint64_t most = 1;
    for (const auto& bin : bins) most = std::max(most, bin.count);
    chart.y.title = "spans";
    chart.y.text = count_of;
    chart.y.to = static_cast<double>(most) * 1.05;
    if (options.log_counts) {
        // The axis begins at a half, so that one span is visible and none has no height.
        chart.y.scale = charts::Scale::decades;
        chart.y.from = 0.5;
        chart.y.to = std::max(static_cast<double>(most) * 1.2, 2.0);
    }
    charts::Series series;
    series.name = options.name;
    series.kind = charts::Kind::step;
    series.ink = options.ink;
    series.filled = true;
    series.width = 0;
    auto table = std::make_shared<PlainTable>(std::vector<scene::TableColumn>{
        {"From", true, false}, {"To", true, false}, {"Spans", true, false}});
    for (std::size_t i = 0; i < bins.size(); ++i) {
        const auto& bin = bins[i];
        charts::Point point;
        point.x = place_of(bin.low);
        point.from = chart.y.from;
        point.y = std::max(static_cast<double>(bin.count), chart.y.from);
        point.words = fmt::format("{} to {}: {}", time_text(bin.low), time_text(bin.high),
                                  counted(bin.count, "span"));
        point.id = i;
        series.points.push_back(std::move(point));
        table->add({{time_text(bin.low), static_cast<double>(bin.low)},
                    {time_text(bin.high), static_cast<double>(bin.high)},
                    {count_text(bin.count), static_cast<double>(bin.count)}});
    }
    charts::Point end = series.points.back();
    end.x = chart.x.to;
    end.words.clear();
    series.points.push_back(std::move(end));
    chart.series.push_back(std::move(series));
    chart.summary = fmt::format("{}: {}", options.name, counted(lengths.count(), "span"));
    // Their names are listed beside the last line, in the order of the lines: beside its own a name
    // may cross the next line, or change sides.
    const double last = place_of(lengths.percentile(99));
    for (const int percent : {50, 95, 99}) {
        const Nanoseconds value = lengths.percentile(percent);
        charts::Band line;
        line.from = line.to = place_of(value);
        line.ink = &scene::Theme::text;
        line.hatched = true; // dashed
        chart.bands.push_back(line);
        const std::string name = percent == 50 ? "median" : fmt::format("p{}", percent);
        chart.labels.push_back({last, chart.y.to, fmt::format("{} {}", name, time_text(value)),
                                &scene::Theme::text, false, charts::Label::Where::listed, 0});
        chart.summary += fmt::format(", {} {}", name, time_text(value));
    }
    if (options.log_counts) chart.summary += "; counts on a logarithmic axis";
    if (options.marked) {
        charts::Band band;
        band.from = place_of(options.marked->first);
        band.to = static_cast<double>(options.marked->second) + 1;
        band.ink = &scene::Theme::pick;
        chart.bands.push_back(band);
        chart.summary += fmt::format("; marked: {} to {}", time_text(options.marked->first),
                                     time_text(options.marked->second));
    }
    chart.table = std::move(table);
    return chart;
}

} // namespace blockloom::report
