#include "scene/arrow.h"

#include <cmath>

namespace blockloom::scene {

void add_arrow(Layer& layer, Point from, Point to, Colour colour, bool dashed) {
    constexpr float width = 2, head_length = 8, head_half = 4;
    const float dx = to.x - from.x, dy = to.y - from.y, length = std::hypot(dx, dy);
    if (length < 2) return;
    layer.lines.push_back({from, to, colour, width, dashed});
    const float ux = dx / length, uy = dy / length;
    for (const float side : {-1.0F, 1.0F})
        layer.lines.push_back({{to.x - ux * head_length - uy * side * head_half,
                                to.y - uy * head_length + ux * side * head_half},
                               to,
                               colour,
                               width,
                               false});
}

} // namespace blockloom::scene
