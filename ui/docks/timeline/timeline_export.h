// The timeline of a run as a file.
#pragma once

#include "base/result.h"
#include "docks/timeline/timeline_canvas.h"

#include <QString>

namespace blockloom::ui {

/// Writes what the canvas shows; format by extension: csv (the spans of the selected or visible
/// range), png, svg, pdf. The legend takes `legend_height` pixels below the lanes.
Status export_timeline(const TimelineCanvas& canvas, int legend_height, const QString& title,
                       const QString& path);

} // namespace blockloom::ui
