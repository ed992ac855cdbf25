#include "report/cell_bars.h"

#include <algorithm>
#include <cmath>

namespace blockloom::report {
namespace {

constexpr float least_height = 2, least_length = 2, stripe_step = 8, difference_height = 14;
constexpr std::uint8_t stripe_alpha = 150;

scene::Box filled(const scene::Rect& rect, scene::Colour colour) {
    scene::Box box;
    box.rect = rect;
    box.fill = colour;
    return box;
}

/// Lines from the upper left to the lower right, which end at the edges of `place`.
std::vector<scene::Line> stripes(const scene::Rect& place, scene::Colour colour) {
    std::vector<scene::Line> lines;
    for (float offset = -place.height; offset < place.width; offset += stripe_step) {
        const float from = std::max(offset, 0.0F);
        const float to = std::min(offset + place.height, place.width);
        if (to > from)
            lines.push_back({{place.x + from, place.y + from - offset},
                             {place.x + to, place.y + to - offset},
                             colour});
    }
    return lines;
}

} // namespace

scene::Layer level_bars(std::span<const double> shares, const scene::Rect& place, float widest,
                        const scene::Theme& theme) {
    scene::Layer layer;
    layer.space = scene::Space::screen;
    if (shares.empty()) return layer;
    const float step = std::min(widest, place.width / static_cast<float>(shares.size()));
    const float width = step >= 3 ? step - 1 : step; // narrow bars touch
    for (std::size_t i = 0; i < shares.size(); ++i) {
        const float height = least_height + static_cast<float>(std::clamp(shares[i], 0.0, 1.0)) *
                                                std::max(place.height - least_height, 0.0F);
        layer.boxes.push_back(filled({place.x + step * static_cast<float>(i),
                                      place.y + place.height - height, width, height},
                                     theme.ordinal(i, shares.size())));
    }
    return layer;
}

scene::Layer bar_on_track(double share, bool predicted, const scene::Rect& track,
                          scene::Colour ground, const scene::Theme& theme) {
    scene::Layer layer;
    layer.space = scene::Space::screen;
    layer.boxes.push_back(filled(track, theme.raised));
    scene::Rect rect = track;
    rect.width =
        std::max(static_cast<float>(std::clamp(share, 0.0, 1.0)) * track.width, least_length);
    scene::Box bar = filled(rect, predicted ? ground : theme.accent);
    if (predicted) {
        bar.outline = theme.accent;
        bar.outline_width = 1;
        bar.dashed = rect.width > 6;
    }
    layer.boxes.push_back(bar);
    return layer;
}

std::vector<scene::Layer> run_bar(const RunBar& bar, const scene::Rect& place,
                                  const scene::Theme& theme) {
    if (place.width <= 0) return {};
    const scene::Colour dark = scene::with_alpha(theme.canvas, stripe_alpha);
    std::vector<scene::Layer> layers(1);
    scene::Box box = filled(place, bar.colour);
    if (bar.predicted) {
        box.fill = theme.canvas;
        box.outline = bar.colour;
        box.outline_width = 1;
        box.dashed = place.width > 6;
    } else if (bar.serial) {
        box.hatched = true;
        box.outline = dark;
    }
    layers[0].boxes.push_back(box);
    if (bar.second && !bar.predicted) layers.emplace_back().lines = stripes(place, dark);
    for (scene::Layer& layer : layers) layer.space = scene::Space::screen;
    return layers;
}

scene::Layer difference_bar(double difference, scene::Colour colour, const scene::Rect& place,
                            const scene::Theme& theme) {
    scene::Layer layer;
    layer.space = scene::Space::screen;
    const float middle = place.x + place.width / 2;
    layer.lines.push_back(
        {{middle, place.y}, {middle, place.y + place.height}, theme.control_border});
    const float length =
        static_cast<float>(std::clamp(std::abs(difference), 0.0, 1.0)) * place.width / 2;
    if (length < 0.5F) return layer;
    layer.boxes.push_back(filled({difference < 0 ? middle - length : middle,
                                  place.y + (place.height - difference_height) / 2,
                                  std::max(length, 1.0F), difference_height},
                                 colour));
    return layer;
}

} // namespace blockloom::report
