// A whole run in a strip: how busy its parts are over time, and which stretch a view shows.
#pragma once

#include "scene/display_list.h"
#include "scene/theme.h"

#include <string>
#include <vector>

namespace blockloom::scene {

/// Shares of equal parts of the run, 0 … 1, as bars. Later ones are drawn over earlier ones.
struct MinimapBars {
    std::vector<float> shares;
    Colour Theme::*ink = &Theme::control_border;
    friend bool operator==(const MinimapBars&, const MinimapBars&) = default;
};

struct Minimap {
    std::vector<MinimapBars> bars;
    std::string words;                     ///< at the left of the strip
    float left = 0, right = 0;             ///< pixels beside the strip
    float inset = 4;                       ///< pixels above and below it
    double from = 0, to = 1;               ///< the visible stretch, 0 … 1 of the run
    bool focused = false;                  ///< the visible stretch has a wider outline
    Anchor anchor = Anchor::left;          ///< of the words, in the room at the left
    float words_left = 0, words_right = 8; ///< pixels kept free beside them
};

/// The strip inside a picture of this size.
[[nodiscard]] Rect minimap_strip(const Minimap& minimap, float width, float height);

/// In screen space; its world is the picture's size.
[[nodiscard]] DisplayList make_minimap(const Minimap& minimap, float width, float height,
                                       const Theme& theme);

} // namespace blockloom::scene
