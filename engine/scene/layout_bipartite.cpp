// Bipartite view: tasks at both sides, the keys they share in the middle as hubs.
#include "base/number_text.h"
#include "scene/hub_graph.h"

#include <algorithm>
#include <cmath>

namespace blockloom::scene::layout {
namespace {

using conflict::TaskId;

constexpr float header = 26;
constexpr float spoke_room = 34; ///< between a column of tasks and the hubs
constexpr float widest_spokes = 330;
constexpr float panel_gap = 26;            ///< between two panels
constexpr float part_gap = 0.6F;           ///< between two parts, rows
constexpr std::size_t most_apart = 40'000; ///< tasks without a hub that are drawn
constexpr std::size_t most_labels = 14;
constexpr std::uint32_t hot = 6; ///< spokes from which a hub gets its name

constexpr std::uint32_t lines_for(std::size_t a, std::size_t b) noexcept {
    return static_cast<std::uint32_t>((a + b - 1) / b);
}

/// Columns and rows of a part when it may be `tallest` rows high.
struct PartSize {
    std::uint32_t left = 0, middle = 0, right = 0, rows = 1;
};
PartSize size_of(const Part& part, std::uint32_t tallest) {
    PartSize size;
    size.left = lines_for(part.left.size(), tallest);
    size.middle = lines_for(part.hubs.size(), tallest);
    size.right = lines_for(part.right.size(), tallest);
    const auto rows = [](std::size_t count, std::uint32_t columns) {
        return columns == 0 ? 0U : lines_for(count, columns);
    };
    size.rows =
        std::max({1U, rows(part.left.size(), size.left), rows(part.hubs.size(), size.middle),
                  rows(part.right.size(), size.right)});
    return size;
}

/// A stack of parts: three blocks of columns side by side.
struct Panel {
    std::uint32_t left = 1, middle = 1, right = 1;
    float x = 0;
    [[nodiscard]] float columns_width() const noexcept {
        return static_cast<float>(left + middle + right) * pitch;
    }
};

struct Plan {
    std::vector<Panel> panels;
    std::vector<std::uint32_t> panel_of; ///< one a part
    std::vector<float> top;              ///< one a part, rows
    float width = 0, rows = 0;           ///< `rows`: of the tallest panel
    float spoke_room = layout::spoke_room;
    std::uint32_t apart_rows = 0;
    float apart_width = 0;
};

/// Fills panels of `tall` rows one after another.
Plan plan_for(const HubGraph& graph, std::uint32_t tall) {
    Plan plan;
    plan.apart_rows = tall;
    if (!graph.apart.empty())
        plan.apart_width =
            static_cast<float>(lines_for(graph.apart.size(), tall)) * pitch + panel_gap;
    float y = 0;
    for (const Part& part : graph.parts) {
        const PartSize size = size_of(part, tall);
        const auto rows = static_cast<float>(size.rows);
        if (plan.panels.empty() || y + rows > static_cast<float>(tall)) {
            plan.panels.emplace_back();
            y = 0;
        }
        Panel& panel = plan.panels.back();
        panel.left = std::max(panel.left, size.left);
        panel.middle = std::max(panel.middle, size.middle);
        panel.right = std::max(panel.right, size.right);
        plan.panel_of.push_back(static_cast<std::uint32_t>(plan.panels.size() - 1));
        plan.top.push_back(y);
        y += rows;
        plan.rows = std::max(plan.rows, y);
        y += part_gap;
    }
    // Few panels move their columns apart to fill the canvas.
    plan.width = plan.apart_width;
    for (const Panel& panel : plan.panels)
        plan.width += panel.columns_width() + 2 * spoke_room + panel_gap;
    if (plan.panels.empty()) return plan;
    plan.width -= panel_gap;
    const float spare = (canvas_width - plan.width) / static_cast<float>(2 * plan.panels.size());
    plan.spoke_room += std::clamp(spare, 0.0F, widest_spokes - spoke_room);
    float x = plan.apart_width;
    for (Panel& panel : plan.panels) {
        panel.x = x;
        x += panel.columns_width() + 2 * plan.spoke_room + panel_gap;
    }
    plan.width = x - panel_gap;
    return plan;
}

/// The smallest canvas of the planned shape that holds everything.
Plan plan_all(const HubGraph& graph) {
    for (double scale = 1;; scale *= 1.12) {
        const auto tall = static_cast<std::uint32_t>(scale * (canvas_height - header) / pitch);
        Plan plan = plan_for(graph, tall);
        if (plan.width <= scale * canvas_width || scale > 100) return plan;
    }
}

/// Positions of tasks and hubs.
struct Places {
    std::vector<Point> task, hub;
    float height = 0;
};

/// Spreads `items` over a part's height, `columns` wide, top to bottom and left to right.
template <typename Item, typename Set>
void spread(const std::vector<Item>& items, std::uint32_t columns, float x, float top, float height,
            Set set) {
    if (items.empty()) return;
    const std::uint32_t rows = lines_for(items.size(), columns);
    for (std::size_t i = 0; i < items.size(); ++i) {
        const auto row = static_cast<float>(i / columns), column = static_cast<float>(i % columns);
        set(items[i], Point{x + (column + 0.5F) * pitch,
                            top + (row + 0.5F) * height / static_cast<float>(rows)});
    }
}

/// Tasks and hubs of a part stand near what they touch: left by index, hubs by the middle of their
/// tasks, right by the middle of their hubs.
Places place_all(const HubGraph& graph, const Plan& plan, TaskId tasks) {
    Places places;
    places.task.resize(tasks);
    places.hub.resize(graph.hubs.size());
    const float rows = std::max(plan.rows, 1.0F);
    const float row_pitch = std::clamp((canvas_height - header) / rows, pitch, 14.0F);
    places.height = std::max(rows * row_pitch, canvas_height - header);
    for (std::size_t i = 0; i < graph.apart.size(); ++i)
        places.task[graph.apart[i]] = {(static_cast<float>(i / plan.apart_rows) + 0.5F) * pitch,
                                       (static_cast<float>(i % plan.apart_rows) + 0.5F) *
                                           places.height / static_cast<float>(plan.apart_rows)};

    std::vector<float> sum(tasks, 0), weight(tasks, 0), middle(graph.hubs.size(), 0);
    std::vector<bool> at_left(tasks, false);
    for (std::size_t p = 0; p < graph.parts.size(); ++p) {
        Part part = graph.parts[p]; // sorted below
        const Panel& panel = plan.panels[plan.panel_of[p]];
        const PartSize size = size_of(part, plan.apart_rows);
        const float top = plan.top[p] * row_pitch;
        const float height = static_cast<float>(size.rows) * row_pitch;
        const auto set_task = [&](TaskId t, Point at) { places.task[t] = at; };
        // Columns of tasks lean against the hubs.
        const float left_x = panel.x + static_cast<float>(panel.left - size.left) * pitch;
        spread(part.left, size.left, left_x, top, height, set_task);
        for (const TaskId t : part.left) at_left[t] = true;
        for (const std::uint32_t h : part.hubs) {
            float total = 0, count = 0;
            for (const Spoke& spoke : graph.of(graph.hubs[h]))
                if (at_left[spoke.task]) {
                    total += places.task[spoke.task].y;
                    ++count;
                }
            middle[h] = count > 0 ? total / count : top + height / 2;
        }
        std::stable_sort(part.hubs.begin(), part.hubs.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return middle[a] < middle[b]; });
        const float hubs_x = panel.x + static_cast<float>(panel.left) * pitch + plan.spoke_room;
        spread(part.hubs, size.middle, hubs_x, top, height,
               [&](std::uint32_t h, Point at) { places.hub[h] = at; });
        for (const std::uint32_t h : part.hubs)
            for (const Spoke& spoke : graph.of(graph.hubs[h])) {
                sum[spoke.task] += places.hub[h].y;
                ++weight[spoke.task];
            }
        std::stable_sort(part.right.begin(), part.right.end(), [&](TaskId a, TaskId b) {
            return sum[a] * weight[b] < sum[b] * weight[a];
        });
        spread(part.right, size.right,
               hubs_x + static_cast<float>(panel.middle) * pitch + plan.spoke_room, top, height,
               set_task);
    }
    return places;
}

std::string short_name(const conflict::ConflictIndex& index, conflict::KeyId key) {
    if (index.trace->keys == nullptr) return "key " + count_text(key);
    std::string name = index.trace->keys->printable(key);
    // The middle of a long key goes; names are ASCII but for what a trace
    // chose to call them, and such are kept whole.
    const bool ascii = std::all_of(name.begin(), name.end(),
                                   [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    if (ascii && name.size() > 26) name = name.substr(0, 15) + "…" + name.substr(name.size() - 6);
    return name;
}

float hub_pixels(std::uint32_t tasks, float node) {
    return std::min(node + 1 + 2.4F * std::log2(static_cast<float>(tasks) / 2), 22.0F);
}

/// Names of the hottest keys beside their hubs, each on its own background, because edges run
/// behind them, and in its own layer, because its offset is in pixels. A name that would cover that
/// of a hotter key is left out, also if a small window shows the layout at half its size, where
/// names keep theirs. Names are at the right, or at the left if they would cover the tasks there on
/// the planned canvas, which shows everything at `fit` pixels per unit.
void add_names(const conflict::ConflictIndex& index, const HubGraph& graph, const Places& places,
               const std::vector<std::size_t>& hubs, float node, float fit, const Theme& theme,
               std::vector<Layer>& layers) {
    constexpr float height = 14, smallest = 0.5F;
    std::vector<Rect> taken;
    for (const std::size_t h : hubs) {
        const Point at = places.hub[h];
        std::string name =
            short_name(index, graph.hubs[h].key) + " · " + count_text(graph.hubs[h].tasks);
        const float width = text_width(name, text_pixels) * 1.08F + 6;
        const float off = hub_pixels(graph.hubs[h].tasks, node) / 2 + 3; // from the hub's middle
        const auto& part = graph.parts[graph.hubs[h].part];
        const auto covers_task = [&](const std::vector<TaskId>& tasks) {
            return std::any_of(tasks.begin(), tasks.end(), [&](TaskId t) {
                return std::abs(places.task[t].x - at.x) * fit < off + width + node / 2;
            });
        };
        bool at_left = covers_task(part.right);
        if (at_left && covers_task(part.left)) {
            if (!taken.empty()) continue;
            at_left = false; // the hottest key is named all the same
        }
        const float shift = (off + width / 2) * (at_left ? -1.0F : 1.0F);
        const Rect box{at.x * smallest + shift - width / 2, at.y * smallest, width, height};
        const bool covers_name = std::any_of(taken.begin(), taken.end(), [&](const Rect& r) {
            return box.x < r.x + r.width && r.x < box.x + box.width &&
                   std::abs(box.y - r.y) < height;
        });
        if (covers_name) continue;
        taken.push_back(box);
        Layer& layer = layers.emplace_back();
        layer.shift = shift;
        layer.boxes.push_back({.rect = {at.x, at.y, width, height - 1},
                               .fill = with_alpha(theme.canvas, 225),
                               .outline = transparent,
                               .mark = true});
        layer.texts.push_back(
            {at, std::move(name), theme.text2, text_pixels, Anchor::centre, Face::mono});
    }
}

} // namespace

DisplayList bipartite(const schedule::BlockAnalysis& analysis, const ViewOptions& options,
                      std::stop_token stop) {
    const conflict::ConflictIndex& index = *analysis.index;
    const Theme& theme = *options.theme;
    HubGraph graph = hub_graph(index, options.edge_limit);
    const std::size_t apart = graph.apart.size();
    if (apart > most_apart) graph.apart.resize(most_apart);
    if (stop.stop_requested()) return {};
    const Plan plan = plan_all(graph);
    if (stop.stop_requested()) return {};
    const Places places = place_all(graph, plan, index.tasks());
    const std::vector<Colour> colours = task_colours(analysis, options);

    DisplayList list = empty_list(options, {});
    const float node = node_pixels_in(plan.width, places.height + header);
    Layer nodes, hubs;
    std::vector<std::size_t> labelled;
    const bool faint = graph.spokes.size() > faint_edges;
    const bool fainter = graph.spokes.size() > 3 * faint_edges;
    const Colour write = with_alpha(theme.text, fainter ? 38 : faint ? 64 : 110);
    const Colour read = with_alpha(theme.accent, fainter ? 60 : faint ? 110 : 170);
    for (std::size_t h = 0; h < graph.hubs.size(); ++h) {
        const Hub& hub = graph.hubs[h];
        const Point at = places.hub[h];
        for (const Spoke& spoke : graph.of(hub))
            nodes.lines.push_back(
                {places.task[spoke.task], at, spoke.writes ? write : read, 1, !spoke.writes});
        const float pixels = hub_pixels(hub.tasks, node);
        hubs.boxes.push_back({.rect = {at.x, at.y, pixels, pixels},
                              .fill = theme.panel,
                              .outline = theme.text2,
                              .outline_width = hub.tasks >= hot ? 2.0F : 1.0F,
                              .shape = Shape::diamond,
                              .mark = true});
        list.targets.push_back({{at.x, at.y, 0, 0}, std::nullopt, hub.key});
        if (h < most_labels && hub.tasks >= hot) labelled.push_back(h);
    }
    const auto add_task = [&](TaskId t) {
        const Point at = places.task[t];
        nodes.boxes.push_back({.rect = {at.x, at.y, node, node},
                               .fill = colours[t],
                               .outline = transparent,
                               .mark = true});
        list.targets.push_back({{at.x, at.y, 0, 0}, t, std::nullopt});
    };
    for (const TaskId t : graph.apart) add_task(t);
    for (const Part& part : graph.parts) {
        for (const TaskId t : part.left) add_task(t);
        for (const TaskId t : part.right) add_task(t);
    }
    const bool whole = graph.spokes.size() == graph.all_spokes;
    const std::string none = whole ? " without a shared key" : " without a drawn key";
    if (!graph.apart.empty())
        hubs.texts.push_back({{0, -header / 2},
                              count_text(apart) + none,
                              theme.text3,
                              text_pixels,
                              Anchor::left,
                              Face::text});
    list.layers.push_back(std::move(nodes));
    list.layers.push_back(std::move(hubs));
    list.world = {0, -header, std::max(plan.width, canvas_width), places.height + header};
    add_names(index, graph, places, labelled, node, canvas_width / list.world.width, theme,
              list.layers);
    list.coverage = {graph.spokes.size(), graph.all_spokes, "accesses", {}};
    std::string& folded = list.coverage.folded;
    if (graph.hubs.size() < graph.all_hubs)
        folded = counted(graph.all_hubs - graph.hubs.size(), "less contended key") + " left out";
    if (graph.only_read > 0)
        folded += (folded.empty() ? "" : ", ") + counted(graph.only_read, "key") +
                  " that are only read, left out";
    if (apart > graph.apart.size())
        folded += (folded.empty() ? "" : ", ") + counted(apart - graph.apart.size(), "task") +
                  none + " not drawn";
    list.summary = "Tasks and keys: " + counted(graph.hubs.size(), "shared key") + " of " +
                   count_text(graph.all_hubs) + " and " + counted(index.tasks(), "task") + ", " +
                   count_text(apart) + none + "; drawing " + count_text(graph.spokes.size()) +
                   " of " + count_text(graph.all_spokes) + " accesses.";
    finish(list, index.tasks());
    return list;
}

} // namespace blockloom::scene::layout
