#include "docks/schedule/wait_arrows.h"

#include "scene/arrow.h"
#include "schedule/wait_arrows.h"

namespace blockloom::ui {

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
    const auto shown = [&](std::uint32_t worker) {
        return group.first_lane + worker < frame.lanes.size();
    };
    if (frame.makespan == 0) return;
    for (const schedule::WaitArrow& arrow : schedule::wait_arrows(*group.schedule, wait))
        if (shown(arrow.from_worker) && shown(arrow.to_worker))
            scene::add_arrow(layer, point(arrow.from, arrow.from_worker),
                             point(arrow.to, arrow.to_worker), theme.accent, arrow.worker);
}

} // namespace blockloom::ui
