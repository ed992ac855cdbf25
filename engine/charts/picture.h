// A chart as a display list: what documents show, whatever the format. The one writer of charts for
// HTML, SVG, PDF and PNG; the window draws the same chart with Qt Charts.
#pragma once

#include "charts/chart.h"

#include <functional>

namespace blockloom::charts {

struct PictureOptions {
    const scene::Theme* theme = &scene::dark_theme();
    float width = 760, height = 240; ///< pixels; a chart of rows takes the height that it needs
};

/// In screen space; its world is the picture's size and its summary says all in words. Lists of the
/// two themes have the same shape.
[[nodiscard]] scene::DisplayList picture_of(const Chart& chart, const PictureOptions& options);

/// A place of the picture and what it says: for tooltips.
struct Spot {
    scene::Rect rect; ///< pixels; of a point its mark
    std::string words;
};
[[nodiscard]] std::vector<Spot> spots_of(const Chart& chart, const PictureOptions& options);

/// The height that a chart of rows needs, pixels; 0: it fills what it is given.
[[nodiscard]] float height_of(const Chart& chart) noexcept;

} // namespace blockloom::charts
