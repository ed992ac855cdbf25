// From a display list's coordinates to device pixels, with the rounding of both renderers
// (shaders/scene_boxes.vert and scene_lines.vert do the same on the device).
#pragma once

#include "scene/renderer.h"

namespace blockloom::scene {

/// pixel = (place − centre) · scale + offset, in double precision.
struct PixelMap {
    double centre_x = 0, centre_y = 0, scale_x = 1, scale_y = 1, offset_x = 0, offset_y = 0;
    double ratio = 1; ///< device pixels per logical pixel

    /// `shift`: of a layer.
    [[nodiscard]] static PixelMap of(const FrameRequest& request, Space space,
                                     float shift = 0) noexcept;
    [[nodiscard]] double x(double place) const noexcept {
        return (place - centre_x) * scale_x + offset_x;
    }
    [[nodiscard]] double y(double place) const noexcept {
        return (place - centre_y) * scale_y + offset_y;
    }
};

/// A box in device pixels: whole numbers, at least one pixel wide and high.
struct PixelBox {
    double left = 0, top = 0, right = 0, bottom = 0;
    double outline = 0; ///< thickness in pixels, 0: none
    bool dashed = false;
    [[nodiscard]] double width() const noexcept { return right - left; }
    [[nodiscard]] double height() const noexcept { return bottom - top; }
};
[[nodiscard]] PixelBox pixel_box(const Box& box, const PixelMap& map, int width,
                                 int height) noexcept;

/// A line in device pixels, clipped to the image with `margin` pixels around it. `before`: the
/// length cut off at its start, for dashes.
struct PixelLine {
    double x0 = 0, y0 = 0, x1 = 0, y1 = 0, width = 1, alpha = 1, before = 0;
    bool visible = false;
};
[[nodiscard]] PixelLine pixel_line(const Line& line, const PixelMap& map, int width, int height,
                                   double margin = 64) noexcept;

/// Checks a request: sizes of 1 … `max_side`, a finite camera, a pixel ratio of 0.25 … 16.
Status check_request(const FrameRequest& request, int max_side);

} // namespace blockloom::scene
