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
/// different shape (they never should be) take the colours of `light` for both. `title` names the
/// picture and `about` says it in words to a screen reader. `tips` lie on top.
[[nodiscard]] std::string themed_svg(const scene::FrameRequest& light,
                                     const scene::FrameRequest& dark, const std::string& title,
                                     const std::string& about = {},
                                     std::span<const SvgTip> tips = {});

/// A document of its own in the colours of one picture: no style sheet, every colour written where
/// it is, so that any program that reads SVG shows it.
[[nodiscard]] std::string plain_svg(const scene::FrameRequest& request, const std::string& title,
                                    const std::string& about = {});

} // namespace blockloom::report
