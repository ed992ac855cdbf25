#include "report/busy_charts.h"

#include "base/number_text.h"
#include "report/block_plot.h"
#include "report/phase_charts.h"

#include <algorithm>
#include <fmt/format.h>

namespace blockloom::report {
namespace {

scene::Box box_of(scene::Rect rect, scene::Colour fill) {
    scene::Box box;
    box.rect = rect;
    box.fill = fill;
    return box;
}

/// What was had: empty, with a line around it. Not dashed, for it was measured.
scene::Box outline_of(scene::Rect rect, const scene::Theme& theme, scene::Colour colour) {
    scene::Box box = box_of(rect, theme.canvas);
    box.outline = colour;
    box.outline_width = 1.2F;
    return box;
}

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

PartsChart busy_chart(const runs::BusyTime& busy, scene::Colour colour,
                      const PhaseChartOptions& options) {
    constexpr float left = 104, right = 196, row = 24, top = 6, bottom = 42, high = 14;
    const scene::Theme& theme = *options.theme;
    const Nanoseconds most =
        std::max<Nanoseconds>({options.most, longest_bar(busy), Nanoseconds{1}});
    const TimeUnit unit = time_unit(most);
    const float base = top + row * static_cast<float>(busy.bars.size()) + 4;
    Plot plot(theme,
              {0, static_cast<double>(most) / unit.ns, left,
               std::max(options.width - right, left + 20), false},
              {0, 1, base, top, false});
    plot.grid(
        plot.x.ticks(8), {},
        [](double value) { return value == 0 ? std::string("0") : three_digits(value); },
        [](double) { return std::string(); }, fmt::format("time, {}", unit.name), "");
    PartsChart chart;
    std::string summary = "Busy time of workers and devices against the time that they had";
    float y = top + row / 2;
    for (const runs::BusyBar& bar : busy.bars) {
        const bool whole = &bar == &busy.bars.front();
        const auto face = whole ? scene::Face::medium : scene::Face::text;
        const float from = plot.x.at(0);
        const float had = plot.x.at(static_cast<double>(bar.had) / unit.ns);
        const float worked = plot.x.at(static_cast<double>(bar.busy) / unit.ns);
        plot.text({{left - 8, y}, bar.name, theme.text, 11, scene::Anchor::right, face});
        const scene::Rect around{from, y - high / 2, std::max(had - from, 1.0F), high};
        plot.box(outline_of(around, theme, colour));
        if (bar.busy > 0)
            plot.box(box_of({from, around.y, std::max(worked - from, 1.0F), high}, colour));
        const double share =
            bar.had <= 0 ? 0 : static_cast<double>(bar.busy) / static_cast<double>(bar.had);
        plot.text({{std::max(had, worked) + 8, y},
                   fmt::format("{} of {} · {}", time_text(bar.busy), time_text(bar.had),
                               percent_text(share)),
                   whole ? theme.text : theme.text2,
                   11,
                   scene::Anchor::left,
                   face});
        chart.parts.push_back({around, bar_words(bar)});
        summary += "; " + chart.parts.back().words;
        y += row;
    }
    chart.list = std::move(plot).finish(options.width, base + bottom, std::move(summary));
    return chart;
}

PartsChart busy_blocks_chart(const runs::BusyTime& busy, scene::Colour colour,
                             const PhaseChartOptions& options) {
    const Nanoseconds most =
        std::max<Nanoseconds>({options.most, longest_block(busy), Nanoseconds{1}});
    std::vector<std::uint64_t> heights;
    for (const runs::BlockBusy& block : busy.blocks) heights.push_back(block.height);
    BlockPlot at = block_plot(heights, most, options);
    PartsChart chart;
    for (std::size_t i = 0; i < at.columns; ++i) {
        const std::size_t first = i * at.each,
                          count = std::min(at.each, busy.blocks.size() - first);
        runs::BlockBusy sum;
        for (std::size_t block = first; block < first + count; ++block) {
            sum.busy += busy.blocks[block].busy;
            sum.had += busy.blocks[block].had;
        }
        sum.busy /= static_cast<Nanoseconds>(count);
        sum.had /= static_cast<Nanoseconds>(count);
        const auto y_of = [&](Nanoseconds ns) {
            return at.plot.y.at(static_cast<double>(ns) / at.unit.ns);
        };
        const float left = at.left_of(i), base = y_of(0), top = y_of(std::max(sum.had, sum.busy));
        const scene::Rect around{left, top, at.wide, std::max(base - top, 1.0F)};
        at.plot.box(outline_of(around, *options.theme, colour));
        const float worked = y_of(sum.busy);
        if (base - worked >= 0.25F)
            at.plot.box(box_of({left, worked, at.wide, base - worked}, colour));
        chart.parts.push_back({around, fmt::format("{}: {}", column_name(heights, first, count),
                                                   runs::busy_text(sum.busy, sum.had))});
    }
    chart.list = std::move(at.plot).finish(options.width, options.height,
                                           "Busy time of the workers in each block's executions");
    return chart;
}

} // namespace blockloom::report
