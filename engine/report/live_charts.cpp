#include "report/live_charts.h"

#include "base/number_text.h"
#include "charts/plain_table.h"
#include "report/block_columns.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace blockloom::report {
namespace {

using charts::Chart;
using charts::Label;
using charts::PlainTable;
using charts::Series;
using profile::Quantity;

Nanoseconds mean_of(const execute::LiveStretch& stretch) {
    return stretch.wall / static_cast<Nanoseconds>(std::max<std::uint64_t>(stretch.blocks, 1));
}

std::string stretch_words(const execute::LiveStretch& stretch) {
    const std::string tasks = counted(stretch.tasks, "task");
    if (stretch.blocks == 1)
        return fmt::format("Block {}: {}, {}", count_text(stretch.first_height),
                           time_text(stretch.wall), tasks);
    return fmt::format("Blocks {}–{}: mean {}, {} in total", count_text(stretch.first_height),
                       count_text(stretch.last_height), time_text(mean_of(stretch)), tasks);
}

std::string block_text(double value) {
    return count_text(static_cast<std::uint64_t>(std::max(std::lround(value), 0L)));
}

/// One quantity over the moments of its series.
struct UsageLane {
    std::string name;
    Quantity quantity = Quantity::tried;
    bool of_device = false, rate = false;
    std::vector<double> values; ///< NaN: no data
    double most = 1;            ///< at the top of the lane
    double last = 0, highest = 0;
    bool any = false;

    [[nodiscard]] std::string text(double value) const {
        if (std::isnan(value)) return "no data";
        return value_text(quantity, value) + (rate ? " /s" : "");
    }
};

UsageLane lane_of(const profile::UsageSeries& usage, const profile::UsageLine& line) {
    UsageLane lane;
    lane.quantity = line.quantity;
    lane.of_device = line.quantity >= Quantity::device_busy;
    lane.rate = line.quantity == Quantity::tried;
    lane.name = lane.of_device ? fmt::format("{}: {}", line.of, words_of(line.quantity))
                : lane.rate    ? std::string("transactions attempted per second")
                               : std::string(words_of(line.quantity));
    const auto rates = lane.rate ? profile::rate_of(usage, line) : std::vector<double>();
    for (std::size_t i = 0; i < line.values.size(); ++i) {
        const bool known = line.values[i] != profile::no_value;
        const double value = lane.rate ? rates[i] : static_cast<double>(line.values[i]);
        lane.values.push_back(known ? value : std::nan(""));
        if (!known) continue;
        lane.highest = lane.any ? std::max(lane.highest, value) : value;
        lane.last = value;
        lane.any = true;
    }
    // The top is 100 % for shares; a part of something much larger would be a flat line.
    lane.most = is_share(line.quantity) ? static_cast<double>(line.most) : lane.highest * 1.1;
    lane.most = std::max(lane.most, 1.0);
    return lane;
}

/// One line for a device about which nothing is known, else one per quantity.
std::vector<std::string> without_data(const profile::UsageSeries& usage) {
    std::vector<std::string> found;
    for (const profile::UsageLine& line : usage.lines) {
        if (line.is_available() || line.quantity == Quantity::tasks ||
            line.quantity == Quantity::blocks)
            continue;
        const bool device = line.quantity >= Quantity::device_busy;
        const bool all =
            device && std::none_of(usage.lines.begin(), usage.lines.end(),
                                   [&](const profile::UsageLine& other) {
                                       return other.of == line.of && other.is_available();
                                   });
        const std::string what = all      ? line.of
                                 : device ? fmt::format("{} {}", line.of, words_of(line.quantity))
                                          : std::string(words_of(line.quantity));
        std::string said = fmt::format("{}: {}", what, line.why);
        if (std::find(found.begin(), found.end(), said) == found.end())
            found.push_back(std::move(said));
    }
    return found;
}

std::shared_ptr<const scene::ViewTable> table_of(const profile::UsageSeries& usage,
                                                 const std::vector<UsageLane>& lanes) {
    std::vector<scene::TableColumn> columns{{"Since the start", true, false}};
    for (const UsageLane& lane : lanes) columns.push_back({lane.name, true, false});
    auto table = std::make_shared<PlainTable>(std::move(columns));
    for (std::size_t i = usage.at.size(); i-- > 0;) { // newest first
        std::vector<PlainTable::Cell> row{
            {time_text(usage.at[i]), static_cast<double>(usage.at[i])}};
        for (const UsageLane& lane : lanes)
            row.push_back(std::isnan(lane.values[i])
                              ? PlainTable::Cell{}
                              : PlainTable::Cell{lane.text(lane.values[i]), lane.values[i]});
        table->add(std::move(row));
    }
    return table;
}

} // namespace

const char* words_of(Quantity quantity) noexcept {
    switch (quantity) {
    case Quantity::tried:
        return "transactions attempted";
    case Quantity::tasks:
        return "tasks of finished blocks";
    case Quantity::blocks:
        return "blocks finished";
    case Quantity::process_cpu:
        return "processor, this program";
    case Quantity::machine_cpu:
        return "processor, all programs";
    case Quantity::process_memory:
        return "memory, this program";
    case Quantity::machine_memory:
        return "memory, all programs";
    case Quantity::device_busy:
        return "busy";
    case Quantity::device_memory:
        return "memory in use";
    case Quantity::temperature:
        return "temperature";
    case Quantity::power:
        return "power";
    case Quantity::count:
        break;
    }
    return "";
}

bool is_share(Quantity quantity) noexcept {
    return quantity == Quantity::process_cpu || quantity == Quantity::machine_cpu ||
           quantity == Quantity::device_busy;
}

std::string value_text(Quantity quantity, double value) {
    if (is_share(quantity)) return percent_text(value / 1000);
    switch (quantity) {
    case Quantity::process_memory:
    case Quantity::machine_memory:
    case Quantity::device_memory:
        return size_text(static_cast<std::uint64_t>(std::max(value, 0.0)));
    case Quantity::temperature:
        return three_digits(value / 1000) + " °C";
    case Quantity::power:
        return three_digits(value / 1000) + " W";
    default:
        return count_text(static_cast<std::uint64_t>(std::max(value, 0.0)));
    }
}

Chart stretches_chart(std::span<const execute::LiveStretch> stretches, std::uint64_t all) {
    Chart chart;
    chart.title = "Wall time of each block";
    if (stretches.empty()) {
        chart.summary = "Wall time of each block: no block has finished yet";
        return chart;
    }
    Nanoseconds longest = 1;
    std::uint64_t blocks = 0;
    for (const execute::LiveStretch& stretch : stretches) {
        longest = std::max(longest, mean_of(stretch));
        blocks += stretch.blocks;
    }
    const auto most = static_cast<double>(longest);
    Series series;
    series.name = chart.title;
    series.kind = charts::Kind::step;
    series.ink = &scene::Theme::cpu_native;
    series.filled = true;
    series.width = 0; // the filled area shows it
    auto table = std::make_shared<PlainTable>(
        std::vector<scene::TableColumn>{{"First block", true, false},
                                        {"Blocks", true, false},
                                        {"Tasks", true, false},
                                        {"Wall time, mean", true, false}});
    const auto count = [](std::uint64_t value) {
        return PlainTable::Cell{count_text(value), static_cast<double>(value)};
    };
    std::uint64_t before = 0;
    for (const execute::LiveStretch& stretch : stretches) {
        charts::Point point;
        point.x = static_cast<double>(before);
        point.y = on_time_axis(static_cast<double>(mean_of(stretch)), most);
        point.words = stretch_words(stretch);
        series.points.push_back(std::move(point));
        before += stretch.blocks;
        table->add({count(stretch.first_height),
                    count(stretch.blocks),
                    count(stretch.tasks),
                    {time_text(mean_of(stretch)), static_cast<double>(mean_of(stretch))}});
    }
    charts::Point end = series.points.back();
    end.x = static_cast<double>(before);
    end.words.clear();
    series.points.push_back(std::move(end));
    chart.series.push_back(std::move(series));
    chart.x.title = "blocks finished";
    chart.x.to = static_cast<double>(std::max<std::uint64_t>({all, blocks, 8}));
    chart.x.text = block_text;
    chart.y = time_axis(most);
    chart.summary =
        fmt::format("Wall time of each block: {}, last {}, longest {}", counted(blocks, "block"),
                    time_text(mean_of(stretches.back())), time_text(longest));
    chart.legend.push_back(
        {scene::OverlayLegend::Sign::filled, &scene::Theme::cpu_native, chart.summary});
    chart.table = std::move(table);
    return chart;
}

Chart usage_chart(const profile::UsageSeries& usage,
                  std::span<const std::pair<Nanoseconds, Nanoseconds>> pauses) {
    Chart chart;
    chart.title = "Activity and resource use of the run over time";
    chart.left_out = without_data(usage);
    std::vector<UsageLane> lanes;
    for (const profile::UsageLine& line : usage.lines) {
        if (!line.is_available() || line.quantity == Quantity::tasks ||
            line.quantity == Quantity::blocks)
            continue;
        UsageLane lane = lane_of(usage, line);
        if (lane.any) lanes.push_back(std::move(lane));
    }
    for (const UsageLane& lane : lanes)
        chart.summary += fmt::format("{}: {} last, {} highest\n", lane.name, lane.text(lane.last),
                                     lane.text(lane.highest));
    for (const std::string& why : chart.left_out) chart.summary += why + "\n";
    if (!chart.summary.empty()) chart.summary.pop_back();
    if (usage.at.empty() || lanes.empty()) return chart;
    const auto most = static_cast<double>(std::max<Nanoseconds>(usage.at.back(), 1));
    chart.x = time_axis(most);
    chart.y.unmarked = true;
    chart.y.to = static_cast<double>(lanes.size());
    for (std::size_t n = 0; n < lanes.size(); ++n) {
        const UsageLane& lane = lanes[n];
        const auto base = static_cast<double>(lanes.size() - 1 - n); // the first one is on top
        constexpr double high = 0.66;                                // of a lane; words above it
        Series series;
        series.name = lane.name;
        // A rate and a share hold since the moment before; a level is joined to the next one.
        series.kind =
            lane.rate || is_share(lane.quantity) ? charts::Kind::step : charts::Kind::line;
        series.ink = lane.rate        ? &scene::Theme::accent
                     : lane.of_device ? &scene::Theme::vulkan
                                      : &scene::Theme::cpu_native;
        series.width = 1.5F;
        series.filled = true;
        for (std::size_t i = 0; i < lane.values.size(); ++i) {
            charts::Point point;
            // What holds since the moment before begins there.
            const bool since = series.kind == charts::Kind::step;
            const std::size_t value = since ? std::min(i + 1, lane.values.size() - 1) : i;
            point.x = on_time_axis(static_cast<double>(usage.at[i]), most);
            point.from = base;
            point.y = base + high * std::clamp(lane.values[value] / lane.most, 0.0, 1.0);
            if (std::isnan(lane.values[value])) point.y = std::nan("");
            if (n == 0) {
                point.words = "at " + time_text(usage.at[i]);
                for (const UsageLane& at : lanes)
                    point.words += fmt::format("\n{}: {}", at.name, at.text(at.values[i]));
            }
            series.points.push_back(std::move(point));
        }
        chart.series.push_back(std::move(series));
        chart.labels.push_back({0, base + 0.84,
                                fmt::format("{}: {} · highest {}", lane.name, lane.text(lane.last),
                                            lane.text(lane.highest)),
                                &scene::Theme::text2, false, Label::Where::corner, 0});
    }
    for (const auto& [begin, end] : pauses) {
        charts::Band band;
        band.from = on_time_axis(static_cast<double>(begin), most);
        band.to = on_time_axis(static_cast<double>(end), most);
        band.ink = &scene::Theme::control_border;
        band.hatched = true;
        chart.bands.push_back(std::move(band));
    }
    using Sign = scene::OverlayLegend::Sign;
    const auto sign = [&](Sign how, charts::Ink ink, std::string label) {
        chart.legend.push_back({how, ink, std::move(label)});
    };
    sign(Sign::line, &scene::Theme::cpu_native, "measured");
    if (!pauses.empty()) sign(Sign::hatched, &scene::Theme::control_border, "paused");
    chart.table = table_of(usage, lanes);
    return chart;
}

} // namespace blockloom::report
