#include "report/phase_charts.h"

#include "base/number_text.h"
#include "report/block_plot.h"

#include <algorithm>
#include <fmt/format.h>

namespace blockloom::report {
namespace {

/// The mean of neighbouring blocks.
execute::Phases mean_of(const runs::KeptRun& run, std::size_t first, std::size_t count) {
    execute::Phases mean;
    for (std::size_t i = first; i < first + count; ++i) mean += run.blocks[i].phases;
    for (Nanoseconds& ns : mean.ns) ns /= static_cast<Nanoseconds>(count);
    mean.execute_serial /= static_cast<Nanoseconds>(count);
    return mean;
}

/// Bottom up: accelerated parts, what was executed in order, then the other serial ones.
std::vector<runs::PhasePart> stacked(const runs::KeptRun& run, const execute::Phases& phases) {
    std::vector<runs::PhasePart> parts = parts_of(run, phases);
    const auto place = [](const runs::PhasePart& part) {
        return part.accelerated ? 0 : part.in_order ? 1 : 2;
    };
    std::stable_sort(
        parts.begin(), parts.end(),
        [&](const runs::PhasePart& a, const runs::PhasePart& b) { return place(a) < place(b); });
    return parts;
}

scene::Box bar(scene::Rect rect, scene::Colour colour) {
    scene::Box box;
    box.rect = rect;
    box.fill = colour;
    return box;
}

} // namespace

scene::Colour backend_colour(const runs::KeptRun& run, const scene::Theme& theme) {
    if (run.backend == "vulkan") return theme.vulkan;
    if (run.backend == "cuda") return theme.cuda;
    return run.engine == "interpreter" ? theme.cpu_interpreter : theme.cpu_native;
}

Nanoseconds longest_block(const runs::KeptRun& run) noexcept {
    Nanoseconds most = 0;
    for (const runs::KeptBlock& block : run.blocks) most = std::max(most, block.phases.sum());
    return most;
}

PartsChart blocks_chart(const runs::KeptRun& run, const PhaseChartOptions& options) {
    const scene::Theme& theme = *options.theme;
    const Nanoseconds most =
        std::max<Nanoseconds>({options.most, longest_block(run), Nanoseconds{1}});
    std::vector<std::uint64_t> heights;
    for (const runs::KeptBlock& block : run.blocks) heights.push_back(block.height);
    BlockPlot at = block_plot(heights, most, options);
    const scene::Colour colour = backend_colour(run, theme);
    PartsChart chart;
    for (std::size_t i = 0; i < at.columns; ++i) {
        const std::size_t first = i * at.each, count = std::min(at.each, heights.size() - first);
        const execute::Phases phases = mean_of(run, first, count);
        const double all = static_cast<double>(std::max<Nanoseconds>(phases.sum(), 1));
        Nanoseconds under = 0;
        for (const runs::PhasePart& part : stacked(run, phases)) {
            const auto y_of = [&](Nanoseconds ns) {
                return at.plot.y.at(static_cast<double>(ns) / at.unit.ns);
            };
            const float high = y_of(under + part.ns), low = y_of(under);
            under += part.ns;
            const scene::Rect rect{at.left_of(i), high, at.wide, std::max(low - high - 0.6F, 0.4F)};
            chart.parts.push_back(
                {rect, fmt::format("{}, {}: {}, {} of {}, {}", column_name(heights, first, count),
                                   part.name(), time_text(part.ns),
                                   percent_text(static_cast<double>(part.ns) / all),
                                   time_text(phases.sum()), part.where(run))});
            if (low - high < 0.25F) continue; // too low to be seen: the next begins above it
            scene::Box box = bar(rect, colour);
            if (!part.accelerated) {
                box.hatched = true;
                box.outline = theme.canvas;
                box.outline_width = 0;
            }
            at.plot.box(box);
        }
    }
    std::string summary = fmt::format("Phases of each block of {}", run.id);
    chart.list = std::move(at.plot).finish(options.width, options.height, std::move(summary));
    return chart;
}

scene::DisplayList gap_chart(const runs::GapWaterfall& gap, scene::Colour colour,
                             const PhaseChartOptions& options) {
    constexpr float left = 104, right = 110, row = 24, top = 6, bottom = 42, high = 14;
    const scene::Theme& theme = *options.theme;
    Nanoseconds most = std::max<Nanoseconds>({gap.measured, options.most, 1}), least = 0, at = 0;
    for (const runs::GapStep& step : gap.steps) {
        at += step.ns;
        most = std::max(most, at);
        least = std::min(least, at);
    }
    const TimeUnit unit = time_unit(most);
    const float base = top + row * static_cast<float>(gap.steps.size() + 1) + 4;
    Plot plot(theme,
              {static_cast<double>(least) / unit.ns, static_cast<double>(most) / unit.ns, left,
               options.width - right, false},
              {0, 1, base, top, false});
    plot.grid(
        plot.x.ticks(8), {},
        [](double value) { return value == 0 ? std::string("0") : three_digits(value); },
        [](double) { return std::string(); }, fmt::format("time, {}", unit.name), "");
    const auto line = [&](float y, const std::string& name, Nanoseconds from, Nanoseconds to,
                          bool predicted, const std::string& value, bool strong) {
        const auto face = strong ? scene::Face::medium : scene::Face::text;
        plot.text({{left - 8, y}, name, theme.text, 11, scene::Anchor::right, face});
        const float a = plot.x.at(static_cast<double>(std::min(from, to)) / unit.ns);
        const float b = plot.x.at(static_cast<double>(std::max(from, to)) / unit.ns);
        scene::Box box = bar({a, y - high / 2, std::max(b - a, 1.0F), high}, colour);
        if (predicted) {
            box.fill = theme.canvas;
            box.outline = colour;
            box.outline_width = 1.2F;
            box.dashed = true;
        }
        plot.box(box);
        plot.text(
            {{b + 8, y}, value, strong ? theme.text : theme.text2, 11, scene::Anchor::left, face});
    };
    at = 0;
    float y = top + row / 2;
    for (const runs::GapStep& step : gap.steps) {
        line(y, step.name, at, at + step.ns, step.predicted,
             std::string(step.ns < 0 || &step == &gap.steps.front() ? "" : "+") + step_text(step) +
                 (step.predicted ? " predicted" : ""),
             false);
        at += step.ns;
        y += row;
    }
    line(y, "measured", 0, gap.measured, false, time_text(gap.measured), true);
    const float height = base + bottom;
    std::string summary = "The gap between work and wall";
    for (const std::string& words : gap_words(gap)) summary += "; " + words;
    return std::move(plot).finish(options.width, height, std::move(summary));
}

} // namespace blockloom::report
