#include "report/phase_charts.h"

#include "range/number_text.h"
#include "report/plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace blockloom::report {
namespace {

using execute::Phase;

struct Unit {
    const char* name;
    double ns;
};
Unit unit_of(Nanoseconds most) {
    for (const Unit unit : {Unit{"s", 1e9}, Unit{"ms", 1e6}, Unit{"µs", 1e3}})
        if (static_cast<double>(most) >= unit.ns) return unit;
    return {"ns", 1};
}

/// Sums of neighbouring blocks, and how many they are.
struct Column {
    execute::Phases phases;
    std::uint64_t height = 0;
    std::size_t blocks = 0;
};

std::vector<Column> columns_of(const KeptRun& run, std::size_t most) {
    const std::size_t each = std::max<std::size_t>(1, (run.blocks.size() + most - 1) / most);
    std::vector<Column> columns;
    for (std::size_t i = 0; i < run.blocks.size(); ++i) {
        if (i % each == 0) columns.push_back({{}, run.blocks[i].height, 0});
        columns.back().phases += run.blocks[i].phases;
        ++columns.back().blocks;
    }
    for (Column& column : columns)
        for (Nanoseconds& ns : column.phases.ns) ns /= static_cast<Nanoseconds>(column.blocks);
    return columns;
}

/// Bottom up: accelerated phases, then serial ones.
std::vector<std::pair<Phase, bool>> order_of(const KeptRun& run) {
    std::vector<std::pair<Phase, bool>> order;
    for (const bool fast : {true, false})
        for (std::size_t i = 0; i < execute::phase_count; ++i)
            if (const auto phase = static_cast<Phase>(i); accelerated(run, phase) == fast)
                order.emplace_back(phase, fast);
    return order;
}

scene::Box bar(scene::Rect rect, scene::Colour colour) {
    scene::Box box;
    box.rect = rect;
    box.fill = colour;
    return box;
}

} // namespace

scene::Colour backend_colour(const KeptRun& run, const scene::Theme& theme) {
    if (run.backend == "vulkan") return theme.vulkan;
    if (run.backend == "cuda") return theme.cuda;
    return run.engine == "interpreter" ? theme.cpu_interpreter : theme.cpu_native;
}

Nanoseconds longest_block(const KeptRun& run) noexcept {
    Nanoseconds most = 0;
    for (const KeptBlock& block : run.blocks) most = std::max(most, block.phases.sum());
    return most;
}

scene::DisplayList blocks_chart(const KeptRun& run, const PhaseChartOptions& options) {
    constexpr float left = 54, right = 16, top = 30, bottom = 42;
    const scene::Theme& theme = *options.theme;
    const float room = options.width - left - right;
    const auto columns = columns_of(run, static_cast<std::size_t>(std::max(room / 4, 1.0F)));
    const Nanoseconds most =
        std::max<Nanoseconds>({options.most, longest_block(run), Nanoseconds{1}});
    const Unit unit = unit_of(most);
    const auto count = static_cast<double>(std::max<std::size_t>(columns.size(), 1));
    Plot plot(theme, {0, count, left, options.width - right, false},
              {0, static_cast<double>(most) / unit.ns, options.height - bottom, top, false});
    // Heights where they fit whole.
    const float step = room / static_cast<float>(count);
    const std::string last =
        run.blocks.empty() ? std::string() : std::to_string(run.blocks.back().height);
    const auto every = static_cast<std::size_t>(
        std::ceil((plot_text_width(last, 11) + 12) / std::max(step, 0.01F)));
    std::vector<double> named;
    for (std::size_t i = 0; i < columns.size(); i += std::max<std::size_t>(every, 1))
        named.push_back(static_cast<double>(i) + 0.5);
    const std::size_t each = columns.empty() ? 1 : columns.front().blocks;
    plot.grid(
        named,
        plot.y.ticks(
            static_cast<std::size_t>(std::max((options.height - top - bottom) / 28, 2.0F))),
        [&](double at) { return std::to_string(columns[static_cast<std::size_t>(at)].height); },
        [](double value) { return value == 0 ? std::string("0") : range::three_digits(value); },
        each == 1 ? "block" : fmt::format("block, {} a column (mean)", each),
        fmt::format("time, {}", unit.name));
    const scene::Colour colour = backend_colour(run, theme);
    const float wide = std::clamp(step * 0.8F, 1.0F, 72.0F);
    const auto order = order_of(run);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        double under = 0;
        const float x = plot.x.at(static_cast<double>(i) + 0.5) - wide / 2;
        for (const auto& [phase, fast] : order) {
            const double value = static_cast<double>(columns[i].phases[phase]) / unit.ns;
            if (value <= 0) continue;
            const float high = plot.y.at(under + value), low = plot.y.at(under);
            under += value;
            if (low - high < 0.25F) continue; // too low to be seen: the next begins above it
            scene::Box box = bar({x, high, wide, std::max(low - high - 0.6F, 0.4F)}, colour);
            if (!fast) {
                box.hatched = true;
                box.outline = theme.canvas;
                box.outline_width = 0;
            }
            plot.box(box);
        }
    }
    std::string summary = fmt::format("Phases of each block of {}", run.id);
    return std::move(plot).finish(options.width, options.height, std::move(summary));
}

scene::DisplayList gap_chart(const GapWaterfall& gap, scene::Colour colour,
                             const PhaseChartOptions& options) {
    constexpr float left = 104, right = 110, row = 24, top = 6, bottom = 42, high = 14;
    const scene::Theme& theme = *options.theme;
    Nanoseconds most = std::max<Nanoseconds>(gap.measured, 1), least = 0, at = 0;
    for (const GapStep& step : gap.steps) {
        at += step.ns;
        most = std::max(most, at);
        least = std::min(least, at);
    }
    const Unit unit = unit_of(most);
    const float base = top + row * static_cast<float>(gap.steps.size() + 1) + 4;
    Plot plot(theme,
              {static_cast<double>(least) / unit.ns, static_cast<double>(most) / unit.ns, left,
               options.width - right, false},
              {0, 1, base, top, false});
    plot.grid(
        plot.x.ticks(8), {},
        [](double value) { return value == 0 ? std::string("0") : range::three_digits(value); },
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
    for (const GapStep& step : gap.steps) {
        line(y, step.name, at, at + step.ns, step.predicted,
             std::string(step.ns < 0 || &step == &gap.steps.front() ? "" : "+") + step_text(step) +
                 (step.predicted ? " predicted" : ""),
             false);
        at += step.ns;
        y += row;
    }
    line(y, "measured", 0, gap.measured, false, range::time_text(gap.measured), true);
    const float height = base + bottom;
    std::string summary = "The gap between work and wall";
    for (const std::string& words : gap_words(gap)) summary += "; " + words;
    return std::move(plot).finish(options.width, height, std::move(summary));
}

} // namespace blockloom::report
