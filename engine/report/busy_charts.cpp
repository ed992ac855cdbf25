#include "report/busy_charts.h"

#include "base/number_text.h"
#include "report/block_columns.h"
#include "report/busy_tables.h"

#include <algorithm>
#include <fmt/format.h>

namespace blockloom::report {
namespace {

using charts::Chart;
using charts::Label;
using charts::Series;
using Sign = scene::OverlayLegend::Sign;

constexpr double room_for_outline = 1.01; ///< the longest bar's outline is seen whole
constexpr double room_for_values = 1.6;   ///< what stands after the longest bar

/// Filled up to the time worked; from there to the available time an outline.
struct BusyBars {
    Series busy, rest;

    explicit BusyBars(charts::Ink ink, float width) {
        busy.name = "busy";
        rest.name = "idle";
        rest.outlined = true;
        for (Series* series : {&busy, &rest}) {
            series->kind = charts::Kind::bars;
            series->ink = ink;
            series->bar_width = width;
        }
    }

    void add(double place, double worked, double had, const std::string& words) {
        charts::Point point;
        point.x = place;
        point.y = worked;
        point.words = words;
        busy.points.push_back(point);
        point.from = worked;
        point.y = std::max(had, worked);
        if (had > worked) rest.points.push_back(std::move(point));
    }

    void into(Chart& chart) && {
        chart.legend = {
            {Sign::filled, busy.ink, "busy, measured in the last repetition"},
            {Sign::selected, busy.ink, "outline: wall time × workers or devices, measured"}};
        chart.series = {std::move(busy)};
        if (!rest.points.empty()) chart.series.push_back(std::move(rest));
    }
};

} // namespace

Nanoseconds longest_bar(const runs::BusyTime& busy) noexcept {
    Nanoseconds most = 0;
    for (const runs::BusyBar& bar : busy.bars) most = std::max({most, bar.had, bar.busy});
    return most;
}

Nanoseconds longest_block(const runs::BusyTime& busy) noexcept {
    Nanoseconds most = 0;
    for (const runs::BlockBusy& block : busy.blocks) most = std::max({most, block.had, block.busy});
    return most;
}

Chart busy_chart(const runs::BusyTime& busy, charts::Ink ink, const PhaseChartOptions& options) {
    Chart chart;
    chart.title = "Busy time of workers and devices against their available time";
    chart.summary = chart.title;
    chart.rows = true;
    if (busy.bars.empty()) return chart;
    const auto most = static_cast<double>(
        std::max<Nanoseconds>({options.most, longest_bar(busy), Nanoseconds{1}}));
    chart.y = time_axis(most);
    chart.y.to *= room_for_values;
    chart.x.from = -0.5;
    chart.x.to = static_cast<double>(busy.bars.size()) - 0.5;
    BusyBars bars(ink, 0.56F);
    double row = 0;
    for (const runs::BusyBar& bar : busy.bars) {
        const double worked = on_time_axis(static_cast<double>(bar.busy), most),
                     had = on_time_axis(static_cast<double>(bar.had), most);
        const double share =
            bar.had <= 0 ? 0 : static_cast<double>(bar.busy) / static_cast<double>(bar.had);
        const bool whole = row == 0;
        chart.x.named.push_back({row, bar.name});
        bars.add(row, worked, had, bar_words(bar));
        chart.labels.push_back({row, std::max(worked, had),
                                fmt::format("{} of {} · {}", time_text(bar.busy),
                                            time_text(bar.had), percent_text(share)),
                                whole ? &scene::Theme::text : &scene::Theme::text2, whole,
                                Label::Where::after, 0});
        chart.summary += "; " + bar_words(bar);
        row += 1;
    }
    std::move(bars).into(chart);
    chart.table = busy_table(busy);
    return chart;
}

Chart busy_blocks_chart(const runs::BusyTime& busy, charts::Ink ink,
                        const PhaseChartOptions& options) {
    Chart chart;
    chart.title = "Busy time of the workers while executing each block";
    chart.summary = chart.title;
    if (busy.blocks.empty()) return chart;
    const auto most = static_cast<double>(
        std::max<Nanoseconds>({options.most, longest_block(busy), Nanoseconds{1}}));
    std::vector<std::uint64_t> heights;
    for (const runs::BlockBusy& block : busy.blocks) heights.push_back(block.height);
    const BlockColumns columns(std::move(heights), options.columns);
    chart.x = columns.axis();
    chart.y = time_axis(most);
    chart.y.to *= room_for_outline;
    BusyBars bars(ink, 0.8F);
    for (std::size_t i = 0; i < columns.count; ++i) {
        runs::BlockBusy sum;
        const auto count = static_cast<Nanoseconds>(columns.blocks(i));
        for (std::size_t block = columns.first(i); block < columns.first(i) + columns.blocks(i);
             ++block) {
            sum.busy += busy.blocks[block].busy;
            sum.had += busy.blocks[block].had;
        }
        sum.busy /= count;
        sum.had /= count;
        bars.add(static_cast<double>(i), on_time_axis(static_cast<double>(sum.busy), most),
                 on_time_axis(static_cast<double>(sum.had), most),
                 fmt::format("{}: {}", columns.name(i), runs::busy_text(sum.busy, sum.had)));
    }
    std::move(bars).into(chart);
    chart.table = busy_blocks_table(busy);
    return chart;
}

} // namespace blockloom::report
