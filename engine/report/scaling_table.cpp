// The table of the speed-up chart.
#include "base/number_text.h"
#include "charts/plain_table.h"
#include "report/scaling_chart.h"

#include <fmt/format.h>

namespace blockloom::report {
namespace {

using charts::PlainTable;
using Cell = PlainTable::Cell;

template <typename Words> Cell interval(const std::optional<profile::Interval>& at, Words&& words) {
    return at ? Cell{fmt::format("{}–{}", words(at->low), words(at->high)), at->low} : Cell{};
}

std::vector<Cell> row_of(const runs::ScalingSeries& series, const runs::ScalingPoint& point,
                         bool baseline) {
    return {{point.run, {}},
            {baseline ? series.name + " (baseline)" : series.name, {}},
            series.on_device()
                ? Cell{}
                : Cell{count_text(point.workers), static_cast<double>(point.workers)},
            {time_text(point.wall), static_cast<double>(point.wall)},
            {ratio_text(point.speedup), point.speedup},
            interval(point.interval, three_digits),
            point.karp_flatt ? Cell{percent_text(*point.karp_flatt), point.karp_flatt} : Cell{},
            interval(point.karp_flatt_interval, percent_text),
            {count_text(point.samples), static_cast<double>(point.samples)}};
}

} // namespace

std::shared_ptr<const scene::ViewTable> scaling_table(const runs::ScalingFigures& figures) {
    auto table = std::make_shared<PlainTable>(
        std::vector<scene::TableColumn>{{"Run", false, true},
                                        {"Backend", false, false},
                                        {"Workers", true, false},
                                        {"Wall, median", true, false},
                                        {"Speed-up (×)", true, false},
                                        {"95 % of speed-up", true, false},
                                        {"Karp–Flatt", true, false},
                                        {"95 % of Karp–Flatt", true, false},
                                        {"Samples", true, false}});
    for (const runs::ScalingSeries& series : figures.series)
        for (const runs::ScalingPoint& point : series.points)
            table->add(row_of(series, point, point.run == figures.baseline));
    for (const runs::StruckRun& out : figures.struck)
        table->add({{out.run, {}}, {"excluded: " + out.reason, {}}});
    return table;
}

} // namespace blockloom::report
