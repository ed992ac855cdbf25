// Arc diagram: tasks in block order on a line, one arc per edge, higher for longer distances.
#include "base/number_text.h"
#include "scene/arc_pen.h"
#include "scene/tick_step.h"

#include <algorithm>
#include <cmath>

namespace blockloom::scene::layout {
namespace {

using conflict::ConflictIndex;
using conflict::TaskId;

constexpr float tick_gap = 16;              ///< from the line to its numbers
constexpr std::uint64_t most_arcs = 10'000; ///< above this, arcs are bundled by ranges of tasks
constexpr std::uint32_t stretches = 120;
constexpr TaskId most_nodes = 40'000, most_targets = 400'000;

/// Ticks at round indices, the first and the last task.
void add_ticks(TaskId tasks, float step_x, const Theme& theme, Layer& layer) {
    std::vector<AxisLabel> labels;
    std::vector<float> extents;
    const auto step = static_cast<TaskId>(tick_step(tasks, 12, 1));
    const auto add = [&](TaskId t) {
        const float x = (static_cast<float>(t) + 0.5F) * step_x;
        layer.lines.push_back({{x, 4}, {x, 9}, theme.control_border, 1, false});
        labels.push_back({x, count_text(t)});
        extents.push_back(text_width(labels.back().text, text_pixels));
    };
    for (TaskId t = 0; t + 1 < tasks; t += step) add(t);
    if (tasks > 1) add(tasks - 1);
    for (const std::size_t i : thin(labels, extents, 8))
        layer.texts.push_back({{labels[i].at, tick_gap},
                               labels[i].text,
                               theme.text2,
                               text_pixels,
                               Anchor::centre,
                               Face::text});
    layer.texts.push_back({{canvas_width / 2, tick_gap + 24},
                           "task, in block order",
                           theme.text3,
                           text_pixels,
                           Anchor::centre,
                           Face::text});
}

/// If single arcs would be a solid mass: one arc for all edges between two ranges of tasks, wider
/// for more edges.
std::uint64_t add_bundles(const ConflictIndex& index, float step_x, float longest,
                          std::vector<Line>& lines, const Theme& theme) {
    const TaskId n = index.tasks();
    const std::uint32_t each = (n + stretches - 1) / stretches;
    const std::uint32_t side = (n + each - 1) / each;
    std::vector<std::uint64_t> edges(std::size_t{side} * side, 0);
    for (TaskId t = 0; t < n; ++t)
        for (const TaskId p : index.predecessors_of(t))
            ++edges[std::size_t{p / each} * side + t / each];
    const double most =
        std::log2(1.0 + static_cast<double>(*std::max_element(edges.begin(), edges.end())));
    const auto middle = [&](std::uint32_t s) {
        return (static_cast<float>(s) + 0.5F) * static_cast<float>(each) * step_x;
    };
    const auto bundles = static_cast<std::uint64_t>(
        std::count_if(edges.begin(), edges.end(), [](std::uint64_t count) { return count > 0; }));
    const ArcPen pen(lines, bundles);
    // The more arcs, the fainter each, so that they do not merge into one white dome.
    const double strength = std::min(1.0, std::sqrt(400.0 / static_cast<double>(bundles)));
    for (std::uint32_t from = 0; from < side; ++from)
        for (std::uint32_t to = from; to < side; ++to) {
            const std::uint64_t count = edges[std::size_t{from} * side + to];
            if (count == 0) continue;
            const double part = std::log2(1.0 + static_cast<double>(count)) / most;
            const Colour colour =
                with_alpha(theme.text, static_cast<std::uint8_t>(4 + 90 * part * strength));
            const float half = static_cast<float>(each) * step_x / 2;
            // Edges inside one range: a small arc over it.
            const float left = from == to ? middle(from) - half : middle(from);
            const float right = from == to ? middle(to) + half : middle(to);
            pen.draw(left, right, arc_height((right - left) / step_x, longest), colour,
                     static_cast<float>(1 + 2 * part));
        }
    return bundles;
}

} // namespace

DisplayList arc(const schedule::BlockAnalysis& analysis, const ViewOptions& options,
                std::stop_token stop) {
    const ConflictIndex& index = *analysis.index;
    const Theme& theme = *options.theme;
    const TaskId n = index.tasks();
    const float step_x = canvas_width / static_cast<float>(n);
    const float longest = longest_reach(index);
    const auto x_of = [&](TaskId t) { return (static_cast<float>(t) + 0.5F) * step_x; };
    const std::vector<Colour> colours = task_colours(analysis, options);

    DisplayList list = empty_list(options, {});
    Layer arcs, front;
    const ArcPen pen(arcs.lines, index.edges()), chain_pen(front.lines);
    std::vector<TaskId> chain_before(n, n), chain;
    std::vector<bool> on_chain(n, false);
    std::uint64_t drawn = 0;
    if (options.critical_chain) chain = conflict::critical_chain(index);
    // A chain of many short steps would be a solid bar at full width.
    const float chain_width = static_cast<float>(chain.size()) * 8 > canvas_width ? 1.5F : 3.0F;
    for (std::size_t i = 0; chain.size() > 1 && i < chain.size(); ++i) {
        on_chain[chain[i]] = true;
        if (i == 0 || drawn >= options.edge_limit) continue;
        chain_before[chain[i]] = chain[i - 1];
        chain_pen.draw(x_of(chain[i - 1]), x_of(chain[i]),
                       arc_height(static_cast<float>(chain[i] - chain[i - 1]), longest),
                       theme.critical, chain_width);
        ++drawn;
    }
    const bool bundled = index.edges() > std::min(options.edge_limit, most_arcs);
    if (bundled) {
        const std::uint64_t bundles = add_bundles(index, step_x, longest, arcs.lines, theme);
        list.coverage.folded = counted(index.edges(), "edge") + " merged into " +
                               counted(bundles, "arc") + " between ranges of tasks";
    } else {
        const Colour edge = edge_colour(theme, index.edges());
        // Arcs narrower than a few pixels overlap: half as strong.
        const Colour narrow = with_alpha(edge, edge.a / 2);
        for (TaskId t = 0; t < n; ++t) {
            if (stop.stop_requested()) return {};
            for (const TaskId p : index.predecessors_of(t)) {
                if (chain_before[t] == p) continue;
                const float far = static_cast<float>(t - p);
                pen.draw(x_of(p), x_of(t), arc_height(far, longest),
                         far * step_x < 2 ? narrow : edge, 1);
                ++drawn;
            }
        }
    }
    if (stop.stop_requested()) return {};

    // Tasks are close: bars on the line that touch rather than squares that overlap. Of very many
    // only some are drawn, each as wide as those it represents.
    const TaskId each = (n + most_nodes - 1) / most_nodes;
    const float width = std::clamp(step_x * static_cast<float>(each) * 0.8F, 1.0F, node_pixels);
    for (TaskId t = 0; t < n; ++t) {
        if (n <= most_targets || t % each == 0 || on_chain[t])
            list.targets.push_back({{x_of(t), 0, 0, 0}, t, std::nullopt});
        if (on_chain[t])
            front.boxes.push_back({.rect = {x_of(t), 0, 7, 7},
                                   .fill = colours[t],
                                   .outline = theme.critical,
                                   .outline_width = 1.5F,
                                   .shape = Shape::circle,
                                   .mark = true});
        else if (t % each == 0)
            arcs.boxes.push_back({.rect = {x_of(t), 0, width, node_pixels},
                                  .fill = colours[t],
                                  .outline = transparent,
                                  .mark = true});
    }
    if (each > 1)
        list.coverage.folded += (list.coverage.folded.empty() ? "" : ", ") +
                                ("each mark represents " + counted(each, "task"));
    add_ticks(n, step_x, theme, front);
    list.layers.push_back(std::move(arcs));
    list.layers.push_back(std::move(front));
    list.world = {0, -highest_arc - 4, canvas_width, highest_arc + 51};
    list.coverage.drawn_edges = drawn;
    list.coverage.all_edges = index.edges();
    list.summary = "Arc diagram: " + counted(n, "task") + " in block order, " +
                   counted(index.edges(), "edge") + ", the longest spanning " +
                   counted(static_cast<std::uint64_t>(index.edges() > 0 ? longest : 0), "task") +
                   ".";
    finish(list, n, 1024, 1);
    return list;
}

} // namespace blockloom::scene::layout
