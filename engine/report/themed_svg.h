// A view as compact SVG for HTML: one picture whose colours follow light and dark.
#pragma once

#include "scene/renderer.h"

#include <span>
#include <string>

namespace blockloom::report {

/// A tooltip over a rectangle of the world.
struct SvgTip {
    scene::Rect rect;
    std::string words;
};

/// Draws a picture that was laid out twice, once per theme: positions are those of `light`, colours
/// are CSS variables --l and --d from which the style sheet's classes `ink`, `wash` and `word`
/// choose. Shapes with the same layer, style and kind become one path, so the text is a tenth of
/// what a general SVG writer would produce; camera and rounding are those of the renderers. Text
/// stays text. If the lists differ in shape (they never should), the colours of `light` are used
/// for both. `title` names the picture, `about` describes it to screen readers. `tips` are on top.
[[nodiscard]] std::string themed_svg(const scene::FrameRequest& light,
                                     const scene::FrameRequest& dark, const std::string& title,
                                     const std::string& about = {},
                                     std::span<const SvgTip> tips = {});

/// A standalone document in the colours of one picture, without a style sheet, so that any SVG
/// program shows it.
[[nodiscard]] std::string plain_svg(const scene::FrameRequest& request, const std::string& title,
                                    const std::string& about = {});

} // namespace blockloom::report
