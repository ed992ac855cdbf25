#include "scene/minimap.h"

#include <algorithm>

namespace blockloom::scene {

Rect minimap_strip(const Minimap& minimap, float width, float height) {
    return {minimap.left, minimap.inset, std::max(1.0F, width - minimap.left - minimap.right),
            std::max(1.0F, height - 2 * minimap.inset)};
}

DisplayList make_minimap(const Minimap& minimap, float width, float height, const Theme& theme) {
    DisplayList list;
    list.background = theme.canvas;
    list.world = {0, 0, width, height};
    list.summary = minimap.words;
    Layer layer;
    layer.space = Space::screen;
    const Rect strip = minimap_strip(minimap, width, height);
    const auto box = [&layer](Rect rect, Colour fill) {
        Box drawn;
        drawn.rect = rect;
        drawn.fill = fill;
        layer.boxes.push_back(drawn);
    };
    box(strip, theme.panel);
    const float bottom = strip.y + strip.height;
    for (const MinimapBars& bars : minimap.bars) {
        const float wide =
            strip.width / static_cast<float>(std::max<std::size_t>(1, bars.shares.size()));
        for (std::size_t i = 0; i < bars.shares.size(); ++i) {
            const float tall = bars.shares[i] * (strip.height - 2);
            if (tall < 0.5F) continue;
            box({strip.x + static_cast<float>(i) * wide, bottom - tall, wide, tall},
                theme.*bars.ink);
        }
    }
    const float from = static_cast<float>(std::clamp(minimap.from, 0.0, 1.0)),
                to = static_cast<float>(std::clamp(minimap.to, minimap.from, 1.0));
    Box shown;
    shown.rect = {strip.x + from * strip.width, strip.y, std::max((to - from) * strip.width, 3.0F),
                  strip.height};
    shown.fill = with_alpha(theme.accent, 50);
    shown.outline = theme.accent;
    shown.outline_width = minimap.focused ? 2 : 1;
    layer.boxes.push_back(shown);
    const float at =
        minimap.anchor == Anchor::right ? minimap.left - minimap.words_right : minimap.words_left;
    if (!minimap.words.empty())
        layer.texts.push_back(
            {{at, height / 2}, minimap.words, theme.text2, 11, minimap.anchor, Face::text});
    list.layers.push_back(std::move(layer));
    return list;
}

} // namespace blockloom::scene
