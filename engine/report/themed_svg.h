// A view as compact SVG for HTML: one picture whose colours follow light and dark.
#pragma once

#include "scene/renderer.h"

#include <span>
#include <string>

namespace blockloom::report {

/// Words that a reader's pointer shows over a place of the world.
struct SvgTip {
    scene::Rect rect;
    std::string words;
};

/// Draws a picture that was laid out twice, once a theme: places are those of `light`, colours are
/// CSS variables --l and --d that the style sheet's classes `ink`, `wash` and `word` choose from.
/// What shares a layer, a style and a kind becomes one path, so the text is a tenth of what a
/// general SVG sink writes; the camera and rounding are the sinks'. Text stays text. Lists of
/// different shape (they never should be) take the colours of `light` for both. `tips` lie on top.
[[nodiscard]] std::string themed_svg(const scene::FrameRequest& light,
                                     const scene::FrameRequest& dark, const std::string& title,
                                     std::span<const SvgTip> tips = {});

} // namespace blockloom::report
