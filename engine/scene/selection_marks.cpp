// The marks of the selection over a view. Outlines only: nothing is dimmed.
#include "scene/arc_pen.h"
#include "scene/views.h"

#include <algorithm>

namespace blockloom::scene {
namespace {

using conflict::ConflictIndex;
using conflict::KeyId;
using conflict::TaskId;

constexpr float selected_pixels = 9, neighbour_pixels = 7, halo = 2;
/// Beyond this many neighbours their edges are thin, or they would merge into a wedge.
constexpr std::size_t few_edges = 16;
/// A hub of a hundred thousand tasks is not outlined one by one.
constexpr std::size_t most_outlines = 20'000;

std::vector<TaskId> neighbours(const ConflictIndex& index, TaskId task) {
    const auto before = index.predecessors_of(task);
    std::vector<TaskId> all(before.begin(), before.end());
    for (TaskId t = task + 1; t < index.tasks(); ++t) {
        const auto of = index.predecessors_of(t);
        if (std::binary_search(of.begin(), of.end(), task)) all.push_back(t);
    }
    return all;
}

std::vector<TaskId> tasks_of(const ConflictIndex& index, KeyId key) {
    std::vector<TaskId> tasks;
    const trace::AccessSets& sets = index.trace->access_sets();
    for (TaskId t = 0; t < sets.tasks(); ++t)
        for (const trace::Access a : sets.of(t))
            if (a.key() == key) tasks.push_back(t);
    return tasks;
}

/// Draws marks of any view; views differ in what a task's place is.
class Marker {
public:
    Marker(const DisplayList& list, const ConflictIndex& index, const ViewOptions& options)
        : list_(list), index_(index), options_(options), theme_(*options.theme) {}

    void select_task(TaskId task) {
        if (!placed(task)) return;
        std::vector<TaskId> around = neighbours(index_, task);
        if (around.size() > most_outlines) around.resize(most_outlines);
        edge_width_ = around.size() > few_edges ? 1.0F : 2.0F;
        if (options_.view == View::matrix) {
            crosshair(task, 70);
            for (const TaskId other : around) pair(task, other);
        } else {
            for (const TaskId other : around)
                if (placed(other)) join(std::min(task, other), std::max(task, other));
            if (options_.view == View::bipartite) join_hubs(task);
            for (const TaskId other : around) outline(other, neighbour_pixels, 1);
        }
        focus(task);
    }
    void select_key(KeyId key) {
        const std::vector<TaskId> tasks = tasks_of(index_, key);
        std::optional<Point> hub;
        for (const PickTarget& t : list_.targets)
            if (t.key == key) hub = Point{t.bounds.x, t.bounds.y};
        std::size_t outlined = 0;
        for (const TaskId task : tasks) {
            if (!placed(task) || ++outlined > most_outlines) continue;
            if (hub)
                lines_.lines.push_back(
                    {place(task), *hub, theme_.pick, tasks.size() > few_edges ? 1.0F : 2.0F});
            outline(task, neighbour_pixels, 1);
        }
        if (hub) mark(*hub, 16, 2, Shape::diamond, true);
    }
    void hover(TaskId task) {
        if (!placed(task)) return;
        if (options_.view == View::matrix) crosshair(task, 30);
        outline(task, selected_pixels, 1);
    }
    [[nodiscard]] std::vector<Layer> layers() {
        std::vector<Layer> out;
        const bool crossed = options_.view == View::bipartite && !lines_.lines.empty();
        for (Layer* layer : {&lines_, &outlines_})
            if (!layer->lines.empty() || !layer->boxes.empty()) out.push_back(std::move(*layer));
        // The names of keys, beside their marks, stay readable: again, above the lines.
        if (crossed)
            for (const Layer& layer : list_.layers)
                if (layer.shift != 0) out.push_back(layer);
        return out;
    }

private:
    [[nodiscard]] bool placed(TaskId task) const {
        return task < list_.task_target.size() && list_.task_target[task] != no_target;
    }
    [[nodiscard]] const Rect& bounds(TaskId task) const {
        return list_.targets[list_.task_target[task]].bounds;
    }
    /// The middle of a task: in a matrix its cell on the diagonal.
    [[nodiscard]] Point place(TaskId task) const {
        const Rect& r = bounds(task);
        if (options_.view == View::matrix) return {r.y + 0.5F, r.y + 0.5F};
        return {r.x + r.width / 2, r.y + r.height / 2};
    }
    void mark(Point at, float pixels, float width, Shape shape, bool with_halo) {
        if (with_halo) // a ring only: what is marked stays visible inside
            outlines_.boxes.push_back({.rect = {at.x, at.y, pixels + 2 * halo, pixels + 2 * halo},
                                       .fill = transparent,
                                       .outline = theme_.canvas,
                                       .outline_width = halo,
                                       .shape = shape,
                                       .mark = true});
        outlines_.boxes.push_back({.rect = {at.x, at.y, pixels, pixels},
                                   .fill = transparent,
                                   .outline = theme_.pick,
                                   .outline_width = width,
                                   .shape = shape,
                                   .mark = true});
    }
    /// Around a bar of the Gantt; at least a few units wide, however short the task.
    void frame(const Rect& bar, float out, float width, Colour colour) {
        const float least = 5, grow = std::max(0.0F, least - bar.width) / 2;
        outlines_.boxes.push_back({.rect = {bar.x - out - grow, bar.y - out,
                                            bar.width + 2 * (out + grow), bar.height + 2 * out},
                                   .fill = transparent,
                                   .outline = colour,
                                   .outline_width = width});
    }
    void outline(TaskId task, float pixels, float width) {
        if (!placed(task)) return;
        if (options_.view == View::schedule)
            frame(bounds(task), 0, width + 0.5F, theme_.pick);
        else
            mark(place(task), pixels, width, Shape::square, false);
    }
    /// The selected task itself: halo of the canvas, then the outline.
    void focus(TaskId task) {
        if (options_.view != View::schedule) {
            mark(place(task), selected_pixels, 2, Shape::square, true);
            return;
        }
        for (const PickTarget& target : list_.targets) { // aborted executions too
            if (target.task != task) continue;
            frame(target.bounds, 3.5F, 2, theme_.canvas);
            frame(target.bounds, 1.5F, 2, theme_.pick);
        }
    }
    void join(TaskId earlier, TaskId later) {
        const Point from = place(earlier), to = place(later);
        if (options_.view == View::arc) {
            const float unit = layout::canvas_width / static_cast<float>(index_.tasks());
            layout::ArcPen(lines_.lines)
                .draw(from.x, to.x,
                      layout::arc_height((to.x - from.x) / unit, layout::longest_reach(index_)),
                      theme_.pick, edge_width_);
        } else if (options_.view != View::bipartite) {
            lines_.lines.push_back({from, to, theme_.pick, edge_width_, false});
        }
    }
    /// In the bipartite view a task's neighbours are reached through its keys.
    void join_hubs(TaskId task) {
        const auto of = index_.trace->access_sets().of(task);
        for (const PickTarget& target : list_.targets) {
            if (!target.key) continue;
            const bool touches = std::any_of(
                of.begin(), of.end(), [&](trace::Access a) { return a.key() == *target.key; });
            if (!touches) continue;
            const Point hub{target.bounds.x, target.bounds.y};
            lines_.lines.push_back({place(task), hub, theme_.pick, edge_width_, false});
            mark(hub, 9, 1, Shape::diamond, false);
        }
    }
    void crosshair(TaskId task, std::uint8_t alpha) {
        const float at = bounds(task).y;
        const auto n = static_cast<float>(index_.tasks());
        const float width = std::max(1.0F, n / 400); // a task of thousands is thinner than a pixel
        const float from = at + 0.5F - width / 2;
        for (const Rect& band : {Rect{0, from, n, width}, Rect{from, 0, width, n}})
            lines_.boxes.push_back(
                {.rect = band, .fill = with_alpha(theme_.accent, alpha), .outline = transparent});
    }
    void pair(TaskId a, TaskId b) {
        if (!placed(b)) return;
        const float pa = place(a).x, pb = place(b).x;
        mark({pb, pa}, neighbour_pixels, 1, Shape::square, false);
        mark({pa, pb}, neighbour_pixels, 1, Shape::square, false);
    }

    const DisplayList& list_;
    const ConflictIndex& index_;
    const ViewOptions& options_;
    const Theme& theme_;
    Layer lines_, outlines_;
    float edge_width_ = 2;
};

} // namespace

std::vector<Layer> selection_marks(const DisplayList& list, const schedule::BlockAnalysis& analysis,
                                   const ViewOptions& options, const Selection& selection) {
    Marker marker(list, *analysis.index, options);
    if (selection.key) marker.select_key(*selection.key);
    if (selection.hovered_task && selection.hovered_task != selection.task)
        marker.hover(*selection.hovered_task);
    if (selection.task) marker.select_task(*selection.task);
    return marker.layers();
}

} // namespace blockloom::scene
