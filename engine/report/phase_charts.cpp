#include "report/phase_charts.h"

#include "base/number_text.h"
#include "report/block_columns.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <tuple>

namespace blockloom::report {
namespace {

using charts::Chart;
using charts::Label;
using charts::Series;
using Sign = scene::OverlayLegend::Sign;

/// The mean of neighbouring blocks.
execute::Phases mean_of(const runs::KeptRun& run, std::size_t first, std::size_t count) {
    execute::Phases mean;
    for (std::size_t i = first; i < first + count; ++i) mean += run.blocks[i].phases;
    for (Nanoseconds& ns : mean.ns) ns /= static_cast<Nanoseconds>(count);
    mean.execute_serial /= static_cast<Nanoseconds>(count);
    return mean;
}

/// From the bottom up: accelerated parts, execution in order, then the other serial parts.
int place_in_stack(const runs::PhasePart& part) {
    return part.accelerated ? 0 : part.in_order ? 1 : 2;
}

std::string words_of(const runs::KeptRun& run, const runs::PhasePart& part, Nanoseconds all) {
    const double share =
        static_cast<double>(part.ns) / static_cast<double>(std::max<Nanoseconds>(all, 1));
    return fmt::format("{}: {}, {} of {}, {}", part.name(), time_text(part.ns), percent_text(share),
                       time_text(all), part.where(run));
}

void add_sign(Chart& chart, Sign sign, charts::Ink ink, std::string label) {
    chart.legend.push_back({sign, ink, std::move(label)});
}

void add_measured_signs(Chart& chart, charts::Ink ink) {
    add_sign(chart, Sign::filled, ink, "measured, accelerated");
    add_sign(chart, Sign::hatched, ink, "measured, serial (on one thread)");
}

void phases_of(Chart& chart, const PhasesSide& side, double row, double most) {
    const auto at = [&](Nanoseconds ns) { return on_time_axis(static_cast<double>(ns), most); };
    Nanoseconds begin = 0;
    for (const runs::PhasePart& part : runs::parts_of(*side.run, side.run->phases)) {
        Series series;
        series.name = side.letter.empty() ? part.name() : side.letter + " " + part.name();
        series.kind = charts::Kind::bars;
        series.ink = ink_of(*side.run);
        series.hatched = !part.accelerated;
        series.bar_width = 0.36F;
        charts::Point point;
        point.x = row;
        point.from = at(begin);
        point.y = at(begin + part.ns);
        point.words = (side.letter.empty() ? std::string() : side.letter + ", ") +
                      words_of(*side.run, part, side.found.total);
        chart.labels.push_back({row, point.y, part.name(), &scene::Theme::text, false,
                                Label::Where::inside, point.from});
        series.points.push_back(std::move(point));
        chart.series.push_back(std::move(series));
        begin += part.ns;
    }
    chart.labels.push_back(
        {row - 0.36, 0,
         fmt::format("{} · accelerated {} · serial {}", time_text(side.found.total),
                     percent_text(side.found.accelerated_share),
                     percent_text(side.found.serial_share)),
         &scene::Theme::text, true, Label::Where::corner, 0});
}

/// What would remain with an infinitely fast device.
void rest_of(Chart& chart, const PhasesSide& side, double row, double most) {
    const runs::Breakdown& found = side.found;
    Series series;
    series.name =
        side.letter.empty() ? "infinitely fast device" : side.letter + ", infinitely fast device";
    series.kind = charts::Kind::bars;
    series.ink = ink_of(*side.run);
    series.predicted = true;
    series.bar_width = 0.36F;
    charts::Point point;
    point.x = row;
    point.y = on_time_axis(static_cast<double>(found.with_infinite_device), most);
    const std::string words =
        fmt::format("infinitely fast device: {} predicted{}", time_text(found.with_infinite_device),
                    found.bound ? fmt::format(", at most {} the speed of the serial run",
                                              ratio_text(*found.bound))
                                : std::string());
    point.words = side.letter.empty() ? words : side.letter + ", " + words;
    series.points.push_back(std::move(point));
    chart.series.push_back(std::move(series));
    // The row and the legend say "predicted"; short, since it must fit a narrow panel.
    const std::string label =
        fmt::format("infinitely fast device: {}{}", time_text(found.with_infinite_device),
                    found.bound ? fmt::format(", at most {} serial speed", ratio_text(*found.bound))
                                : std::string());
    chart.labels.push_back(
        {row - 0.36, 0, label, &scene::Theme::text2, false, Label::Where::corner, 0});
}

std::string words_of(const PhasesSide& side) {
    const runs::Breakdown& found = side.found;
    return fmt::format(
        "{}{}, {} measured, {} accelerated, {} serial; with an infinitely fast device {} "
        "predicted{}",
        side.letter.empty() ? "" : side.letter + ": ", side.words, time_text(found.total),
        percent_text(found.accelerated_share), percent_text(found.serial_share),
        time_text(found.with_infinite_device),
        found.bound
            ? fmt::format(", at most {} the speed of the serial run", ratio_text(*found.bound))
            : std::string(
                  "; the bound on the speed-up needs a kept serial run of the same blocks"));
}

} // namespace

charts::Ink ink_of(const runs::KeptRun& run) noexcept {
    if (run.backend == "vulkan") return &scene::Theme::vulkan;
    if (run.backend == "cuda") return &scene::Theme::cuda;
    return run.engine == "interpreter" ? &scene::Theme::cpu_interpreter : &scene::Theme::cpu_native;
}

Nanoseconds longest_block(const runs::KeptRun& run) noexcept {
    Nanoseconds most = 0;
    for (const runs::KeptBlock& block : run.blocks) most = std::max(most, block.phases.sum());
    return most;
}

Chart phases_chart(std::span<const PhasesSide> sides, Nanoseconds end) {
    Chart chart;
    chart.title = "Where the time went";
    chart.rows = true;
    if (sides.empty()) return chart;
    Nanoseconds longest = std::max<Nanoseconds>(end, 1);
    for (const PhasesSide& side : sides) longest = std::max(longest, side.found.total);
    const auto most = static_cast<double>(longest);
    chart.y = time_axis(most);
    chart.x.from = -0.5;
    chart.x.to = 2 * static_cast<double>(sides.size()) - 0.5;
    double row = 0;
    for (const PhasesSide& side : sides) {
        const std::string before = side.letter.empty() ? "" : side.letter + " ";
        chart.x.named.push_back({row, before + "measured"});
        chart.x.named.push_back({row + 1, before + "predicted"});
        phases_of(chart, side, row, most);
        rest_of(chart, side, row + 1, most);
        if (row == 0 || ink_of(*side.run) != ink_of(*sides.front().run))
            add_measured_signs(chart, ink_of(*side.run));
        if (!chart.summary.empty()) chart.summary += '\n';
        chart.summary += words_of(side);
        row += 2;
    }
    add_sign(chart, Sign::hollow, ink_of(*sides.front().run),
             "predicted with an infinitely fast device");
    chart.table = phases_table(sides);
    return chart;
}

Chart blocks_chart(const runs::KeptRun& run, const PhaseChartOptions& options) {
    Chart chart;
    chart.title = fmt::format("Phases of each block of {}", run.id);
    chart.summary = chart.title;
    if (run.blocks.empty()) return chart;
    const auto most = static_cast<double>(
        std::max<Nanoseconds>({options.most, longest_block(run), Nanoseconds{1}}));
    std::vector<std::uint64_t> heights;
    for (const runs::KeptBlock& block : run.blocks) heights.push_back(block.height);
    const BlockColumns columns(std::move(heights), options.columns);
    chart.x = columns.axis();
    chart.y = time_axis(most);
    // One series per phase and position in the stack, so that the same phase looks alike in all
    // blocks.
    std::map<std::tuple<int, int, std::string>, Series> found;
    for (std::size_t i = 0; i < columns.count; ++i) {
        const execute::Phases phases = mean_of(run, columns.first(i), columns.blocks(i));
        std::vector<runs::PhasePart> parts = runs::parts_of(run, phases);
        std::stable_sort(parts.begin(), parts.end(),
                         [](const runs::PhasePart& a, const runs::PhasePart& b) {
                             return std::pair(place_in_stack(a), a.phase) <
                                    std::pair(place_in_stack(b), b.phase);
                         });
        Nanoseconds under = 0;
        for (const runs::PhasePart& part : parts) {
            Series& series =
                found[{place_in_stack(part), static_cast<int>(part.phase), part.name()}];
            series.name = part.name();
            series.kind = charts::Kind::bars;
            series.ink = ink_of(run);
            series.hatched = !part.accelerated;
            charts::Point point;
            point.x = static_cast<double>(i);
            point.from = on_time_axis(static_cast<double>(under), most);
            under += part.ns;
            point.y = on_time_axis(static_cast<double>(under), most);
            point.words = columns.name(i) + ", " + words_of(run, part, phases.sum());
            series.points.push_back(std::move(point));
        }
    }
    for (auto& [key, series] : found) chart.series.push_back(std::move(series));
    add_measured_signs(chart, ink_of(run));
    chart.table = blocks_table(run);
    return chart;
}

Chart gap_chart(const runs::KeptRun& run, const runs::GapWaterfall& gap,
                const PhaseChartOptions& options) {
    Chart chart;
    chart.title = "The gap between work and wall time";
    chart.summary = chart.title;
    for (const std::string& words : gap_words(gap)) chart.summary += "; " + words;
    chart.rows = true;
    if (!gap.missing.empty()) {
        chart.left_out.push_back("The gap is not drawn: it " + gap.missing);
        return chart;
    }
    for (const std::string& skipped : gap.skipped)
        chart.left_out.push_back("Not drawn: " + skipped);
    Nanoseconds longest = std::max<Nanoseconds>({gap.measured, options.most, 1}), least = 0, at = 0;
    for (const runs::GapStep& step : gap.steps) {
        at += step.ns;
        longest = std::max(longest, at);
        least = std::min(least, at);
    }
    const auto most = static_cast<double>(longest);
    chart.y = time_axis(most);
    chart.y.from = on_time_axis(static_cast<double>(least), most);
    chart.x.from = -0.5;
    chart.x.to = static_cast<double>(gap.steps.size()) + 0.5;
    Series predicted, measured;
    predicted.name = "predicted step";
    predicted.predicted = true;
    measured.name = "measured step";
    for (Series* series : {&predicted, &measured}) {
        series->kind = charts::Kind::bars;
        series->ink = ink_of(run);
        series->bar_width = 0.56F;
    }
    double row = 0;
    const auto add = [&](const std::string& name, Nanoseconds from, Nanoseconds to, bool guess,
                         const std::string& value, const std::string& words, bool strong) {
        charts::Point point;
        point.x = row;
        point.from = on_time_axis(static_cast<double>(std::min(from, to)), most);
        point.y = on_time_axis(static_cast<double>(std::max(from, to)), most);
        point.words = words;
        chart.x.named.push_back({row, name});
        chart.labels.push_back({row, point.y, value,
                                strong ? &scene::Theme::text : &scene::Theme::text2, strong,
                                Label::Where::after, point.from});
        (guess ? predicted : measured).points.push_back(std::move(point));
        row += 1;
    };
    at = 0;
    for (const runs::GapStep& step : gap.steps) {
        const std::string value = step_text(step);
        const bool sign = step.ns >= 0 && &step != &gap.steps.front();
        add(step.name, at, at + step.ns, step.predicted,
            (sign ? "+" : "") + value + (step.predicted ? " predicted" : ""), step_words(step),
            false);
        at += step.ns;
    }
    add("measured", 0, gap.measured, false, time_text(gap.measured),
        "measured: " + time_text(gap.measured), true);
    if (!predicted.points.empty()) chart.series.push_back(std::move(predicted));
    chart.series.push_back(std::move(measured));
    add_sign(chart, Sign::filled, ink_of(run), "measured, last repetition");
    add_sign(chart, Sign::hollow, ink_of(run), "predicted");
    chart.table = gap_table(gap);
    return chart;
}

} // namespace blockloom::report
