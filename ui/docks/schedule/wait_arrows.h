// "Why did this task wait": arrows in a Gantt from what was waited for to the task.
#pragma once

#include "docks/schedule/schedule_axes.h"
#include "schedule/waits.h"

namespace blockloom::ui {

/// One Gantt among those on the canvas: where its lanes are in `GanttFrame::lanes`.
struct GanttGroup {
    const schedule::Schedule* schedule = nullptr;
    std::size_t first_lane = 0;
};

/// Arrows in screen space, for one wait of the task `task` of `group`: solid from a task that it
/// depends on or that caused an abort, dashed from the work that its worker was busy with.
void add_wait_arrows(scene::Layer& layer, const GanttFrame& frame, const GanttGroup& group,
                     const schedule::TaskWait& wait, const scene::Camera& camera, QSize size,
                     const scene::Theme& theme);

} // namespace blockloom::ui
