#include "charts/label_room.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace blockloom::charts {
namespace {

constexpr float gap = 8, line_height = 14;

bool touch(const scene::Rect& a, const scene::Rect& b) {
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height &&
           b.y < a.y + a.height;
}

} // namespace

void LabelRoom::cross(scene::Point from, scene::Point to) {
    // In short pieces: the box around a long slope would hold half of the picture.
    const float length = std::hypot(to.x - from.x, to.y - from.y);
    const int pieces = std::clamp(static_cast<int>(length / 8), 1, 400);
    for (int i = 0; i < pieces; ++i) {
        const auto at = [&](int piece) {
            const float share = static_cast<float>(piece) / static_cast<float>(pieces);
            return scene::Point{from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)};
        };
        const scene::Point a = at(i), b = at(i + 1);
        crossed_.push_back({std::min(a.x, b.x) - 1, std::min(a.y, b.y) - 1, std::abs(b.x - a.x) + 2,
                            std::abs(b.y - a.y) + 2});
    }
}

bool LabelRoom::fits(const scene::Rect& box, bool over_curves) const {
    if (box.x < frame_.x + 2 || box.x + box.width > frame_.x + frame_.width - 2 ||
        box.y < frame_.y || box.y + box.height > frame_.y + frame_.height - 1)
        return false;
    const auto hits = [&](const scene::Rect& other) { return touch(box, other); };
    return std::none_of(taken_.begin(), taken_.end(), hits) &&
           (over_curves || std::none_of(crossed_.begin(), crossed_.end(), hits));
}

std::optional<LabelPlace> LabelRoom::place(scene::Point at, float width) {
    constexpr std::array beside{0.0F, 14.0F, -14.0F, 28.0F, -28.0F, 42.0F, -42.0F, 56.0F, -56.0F};
    // Where it must cross a curve, not the one that it names.
    constexpr std::array across{14.0F, -14.0F, 28.0F, -28.0F, 42.0F, -42.0F, 56.0F, -56.0F, 0.0F};
    for (const bool over_curves : {false, true})
        for (const float up : over_curves ? across : beside)
            for (const float left : {at.x + gap, at.x - gap - width, at.x - width / 2}) {
                if (up == 0 && left == at.x - width / 2) continue; // on the point itself
                const scene::Rect box{left, at.y + up - line_height / 2, width, line_height};
                if (!fits(box, over_curves)) continue;
                taken_.push_back(box);
                return LabelPlace{{left, at.y + up}, over_curves};
            }
    return std::nullopt;
}

std::optional<LabelPlace> LabelRoom::list(scene::Point at, float width) {
    constexpr int most_lines = 8;
    for (const bool over_curves : {false, true})
        for (const float left : {at.x + gap, at.x - gap - width})
            for (int line = 0; line < most_lines; ++line) {
                const float y = at.y + line_height * (static_cast<float>(line) + 0.5F);
                const scene::Rect box{left, y - line_height / 2, width, line_height};
                if (!fits(box, over_curves)) continue;
                taken_.push_back(box);
                return LabelPlace{{left, y}, over_curves};
            }
    return std::nullopt;
}

} // namespace blockloom::charts
