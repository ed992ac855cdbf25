// A chart as a display list, for documents of every format: the one writer of charts for HTML, SVG,
// PDF and PNG. The window draws the same chart with Qt Charts.
#pragma once

#include "charts/chart.h"

#include <functional>

namespace blockloom::charts {

struct PictureOptions {
    const scene::Theme* theme = &scene::dark_theme();
    float width = 760, height = 240; ///< pixels; a chart of rows takes the height it needs
};

/// In screen space; its world is the picture's size, and its summary has everything in words. The
/// lists of the two themes have the same shape.
[[nodiscard]] scene::DisplayList picture_of(const Chart& chart, const PictureOptions& options);

/// An area of the picture and its text, for tooltips.
struct Spot {
    scene::Rect rect; ///< pixels; for a point, its mark
    std::string words;
};
[[nodiscard]] std::vector<Spot> spots_of(const Chart& chart, const PictureOptions& options);

/// The height that a chart of rows needs, in pixels; 0: it fills the given height.
[[nodiscard]] float height_of(const Chart& chart) noexcept;

} // namespace blockloom::charts
