#include "docks/wait_arrows.h"

#include <cmath>
#include <optional>

namespace blockloom::ui {
namespace {

constexpr float arrow_width = 2, head_length = 8, head_half = 4;

/// The execution of a task that counts.
std::optional<schedule::Slot> counting(const schedule::Schedule& schedule, conflict::TaskId task) {
    for (const schedule::Slot& slot : schedule.slots)
        if (slot.task == task && !slot.aborted) return slot;
    return std::nullopt;
}

/// The last execution on a worker that began before `by`; also one that did not count.
std::optional<schedule::Slot> last_on(const schedule::Schedule& schedule, std::uint32_t worker,
                                      conflict::TaskId task, std::uint64_t by) {
    std::optional<schedule::Slot> last;
    for (const schedule::Slot& slot : schedule.slots)
        if (slot.worker == worker && slot.task == task && slot.start < by &&
            (!last || slot.start > last->start))
            last = slot;
    return last;
}

void arrow(scene::Layer& layer, scene::Point from, scene::Point to, scene::Colour colour,
           bool dashed) {
    const float dx = to.x - from.x, dy = to.y - from.y, length = std::hypot(dx, dy);
    if (length < 2) return;
    layer.lines.push_back({from, to, colour, arrow_width, dashed});
    const float ux = dx / length, uy = dy / length;
    for (const float side : {-1.0F, 1.0F})
        layer.lines.push_back({{to.x - ux * head_length - uy * side * head_half,
                                to.y - uy * head_length + ux * side * head_half},
                               to,
                               colour,
                               arrow_width,
                               false});
}

} // namespace

void add_wait_arrows(scene::Layer& layer, const GanttFrame& frame, const GanttGroup& group,
                     const schedule::TaskWait& wait, const scene::Camera& camera, QSize size,
                     const scene::Theme& theme) {
    const auto point = [&](double time, std::uint32_t worker) {
        const double x = time * frame.runTo / static_cast<double>(frame.makespan);
        const double y = static_cast<double>(frame.lanes[group.first_lane + worker].y);
        return scene::Point{
            static_cast<float>((x - camera.centre_x) * camera.scale_x + size.width() / 2.0),
            static_cast<float>((y - camera.centre_y) * camera.scale_y + size.height() / 2.0)};
    };
    if (frame.makespan == 0 || group.first_lane + wait.worker >= frame.lanes.size()) return;
    const scene::Point to = point(static_cast<double>(wait.start), wait.worker);
    for (const schedule::WaitPart& part : wait.parts) {
        if (!part.task) continue;
        const bool busy = part.reason == schedule::WaitFor::worker;
        const auto slot = busy ? last_on(*group.schedule, wait.worker, *part.task, wait.start)
                               : counting(*group.schedule, *part.task);
        if (!slot || group.first_lane + slot->worker >= frame.lanes.size()) continue;
        // What kept the worker lies beside the task: its arrow begins in its middle.
        const double at =
            busy ? (static_cast<double>(slot->start) + static_cast<double>(slot->end)) / 2
                 : static_cast<double>(slot->end);
        arrow(layer, point(at, slot->worker), to, theme.accent, busy);
    }
}

} // namespace blockloom::ui
