// The legend's signs in the shapes of the canvas, and the legend as a strip below a picture.
#pragma once

#include "scene/display_list.h"
#include "scene/overlay.h"
#include "scene/theme.h"

#include <span>
#include <string>

namespace blockloom::scene {

inline constexpr float sign_width = 18; ///< logical pixels
inline constexpr float sign_height = 11;

/// Lines and boxes of a sign centred at `middle`, at most `sign_width` by `sign_height`, in logical
/// pixels. Nothing for a ramp.
[[nodiscard]] Layer sign_marks(const OverlayLegend& legend, Point middle, const Theme& theme);

/// A legend in rows of `width` logical pixels, beginning at `top`.
struct LegendRows {
    Layer ground, signs; ///< Space::screen, the background first
    float height = 0;
};

/// `title` and `coverage` come before the signs; either may be empty.
[[nodiscard]] LegendRows legend_rows(std::span<const OverlayLegend> legend,
                                     const std::string& title, const std::string& coverage,
                                     const Theme& theme, float width, float top);

} // namespace blockloom::scene
