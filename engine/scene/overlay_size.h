// Position and size limits of the overlay panel: the same for Dear ImGui and Cairo.
#pragma once

#include "scene/display_list.h"

namespace blockloom::scene {

inline constexpr float overlay_gap = 10;      ///< between the panel and the image's edges
inline constexpr float overlay_width = 264;   ///< logical pixels, where there is room
inline constexpr float overlay_folded = 120;  ///< width of a collapsed panel
inline constexpr float overlay_row = 18;      ///< a row of text
inline constexpr float overlay_graph = 44;    ///< height of the frame times
inline constexpr float overlay_names = 0.36F; ///< share of a row that its name has
inline constexpr float overlay_text = 12;     ///< type size
inline constexpr float overlay_caption = 11;  ///< type size of the rows
inline constexpr float overlay_padding = 10;

/// The largest panel for an image of logical pixels: no more than two fifths of its area.
struct OverlayRoom {
    float width = 0, height = 0;
    bool any = false; ///< false: the image is too small for a panel
};
[[nodiscard]] constexpr OverlayRoom overlay_room(float image_width, float image_height) noexcept {
    const float width = image_width * 0.5F < overlay_width ? image_width * 0.5F : overlay_width;
    const float high = image_height - 2 * overlay_gap;
    const float fair = 0.4F * image_width * image_height / (width > 1 ? width : 1);
    return {width, high < fair ? high : fair, image_width >= 240 && image_height >= 120};
}

} // namespace blockloom::scene
