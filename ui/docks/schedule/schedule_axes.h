// The axes of the Gantt for the current camera: time above, workers at the left, at any zoom.
#pragma once

#include "scene/renderer.h"
#include "scene/theme.h"

#include <QMargins>
#include <QSize>
#include <QString>

#include <vector>

namespace blockloom::ui {

/// A lane of a Gantt.
struct GanttLane {
    float y = 0; ///< world y of its middle
    QString name;
};

/// A caption over some of the lanes: "predicted", "measured · run".
struct GanttCaption {
    float y = 0; ///< world y of its first lane's upper edge
    QString text;
};

/// What the axes need to know about a Gantt.
struct GanttFrame {
    double runTo = 1; ///< world x of the makespan; time 0 is world x 0
    std::uint64_t makespan = 0;
    std::vector<GanttLane> lanes;
    std::vector<GanttCaption> captions;
    QString unit;         ///< "unit cost, predicted"; empty where `is_time`
    bool is_time = false; ///< nanoseconds: the axis chooses its unit like the Timeline's
};

inline constexpr int gantt_left = 74, gantt_right = 14, gantt_top = 26; ///< pixels
inline constexpr QMargins gantt_margins{gantt_left, gantt_top + 4, gantt_right, 8};

/// Drawn over the Gantt: backgrounds for both axes, ticks at round times, as many names as fit.
[[nodiscard]] scene::Layer schedule_axes(const GanttFrame& frame, const scene::Camera& camera,
                                         QSize size, const scene::Theme& theme);

} // namespace blockloom::ui
