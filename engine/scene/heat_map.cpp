#include "scene/heat_map.h"

#include "scene/layout.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace blockloom::scene {
namespace {

constexpr float map_above = 40, below = 8, map_gap = 4, map_side = 12, title_room = 8;
constexpr float widest = 260, tallest = 96, text_pixels = 11;

float text_width(const std::string& text) {
    return layout::text_width(text, text_pixels);
}

/// The text, or as much of it as fits.
std::string fitting(const std::string& text, float room) {
    if (text_width(text) <= room) return text;
    std::string held = text;
    while (!held.empty() && text_width(held) + text_width("…") > room) {
        while (!held.empty() && (static_cast<unsigned char>(held.back()) & 0xC0U) == 0x80U)
            held.pop_back();
        if (!held.empty()) held.pop_back();
    }
    return held.empty() ? std::string() : held + "…";
}

float labels_width(const HeatMap& map) {
    float wide = text_width(map.y_title);
    for (const std::string& label : map.y) wide = std::max(wide, text_width(label));
    return wide;
}

/// Puts the cells of one map.
class HeatMapMaker {
public:
    HeatMapMaker(const HeatMap& map, float width, float height, const Theme& theme)
        : map_(map), width_(width), height_(height), theme_(theme) {}

    DisplayList make() && {
        DisplayList list;
        list.background = theme_.canvas;
        list.world = {0, 0, width_, height_};
        list.summary = map_.summary;
        if (map_.x.empty() || map_.y.empty()) return list;
        cells_.space = over_.space = Space::screen;
        titles();
        for (std::size_t row = 0; row < map_.y.size(); ++row)
            for (std::size_t column = 0; column < map_.x.size(); ++column) {
                cell(column, row);
                list.targets.push_back(
                    {place(column, row), static_cast<std::uint32_t>(index(column, row)), {}});
            }
        band(4, theme_.canvas);
        band(2, theme_.pick);
        chosen();
        list.layers.push_back(std::move(cells_));
        list.layers.push_back(std::move(over_));
        return list;
    }

private:
    [[nodiscard]] std::size_t index(std::size_t column, std::size_t row) const {
        return row * map_.x.size() + column;
    }
    [[nodiscard]] Rect place(std::size_t column, std::size_t row) const {
        return heat_cell(map_, column, row, width_, height_);
    }
    static Rect inside(Rect rect, float by) {
        return {rect.x + by, rect.y + by, std::max(rect.width - 2 * by, 1.0F),
                std::max(rect.height - 2 * by, 1.0F)};
    }
    void text(Layer& layer, Point at, std::string words, Colour colour, Anchor anchor,
              Face face = Face::text) {
        if (!words.empty())
            layer.texts.push_back({at, std::move(words), colour, text_pixels, anchor, face});
    }

    void titles() {
        const Rect first = place(0, 0);
        const float beside = first.x - map_side - title_room;
        text(cells_, {first.x, 12}, fitting(map_.x_title, width_ - first.x - map_side),
             theme_.text2, Anchor::left);
        text(cells_, {first.x - title_room, 30}, fitting(map_.y_title, beside), theme_.text2,
             Anchor::right);
        // Where not every column has room for its label, every second or third one is named.
        float label = 0;
        for (const std::string& name : map_.x) label = std::max(label, text_width(name));
        const auto every = static_cast<std::size_t>(
            std::max(1.0F, std::ceil((label + 6) / (first.width + map_gap))));
        for (std::size_t column = 0; column < map_.x.size(); column += every) {
            const Rect box = place(column, 0);
            text(cells_, {box.x + box.width / 2, 30}, map_.x[column], theme_.text2, Anchor::centre);
        }
        for (std::size_t row = 0; row < map_.y.size(); ++row) {
            const Rect box = place(0, row);
            if (box.height < 10 && row % 2 != 0) continue;
            text(cells_, {box.x - title_room, box.y + box.height / 2}, fitting(map_.y[row], beside),
                 theme_.text2, Anchor::right);
        }
    }

    void cell(std::size_t column, std::size_t row) {
        const HeatCell& at = map_.cells[index(column, row)];
        Box box;
        box.rect = place(column, row);
        box.outline_width = 1;
        if (!at.share) {
            box.fill = transparent;
            box.outline = theme_.grid;
            cells_.boxes.push_back(box);
            return;
        }
        const Colour fill = theme_.ordinal(heat_stop(*at.share), heat_stops);
        Colour ink = theme_.text2;
        if (at.predicted) {
            box.fill = theme_.canvas;
            box.outline = fill;
            box.outline_width = 1.4F;
            box.dashed = true;
        } else {
            box.fill = fill;
            box.outline = transparent;
            ink = contrast(theme_.canvas, fill) >= contrast(theme_.pick, fill) ? theme_.canvas
                                                                               : theme_.pick;
        }
        cells_.boxes.push_back(box);
        const bool best = at.best && !at.predicted;
        const float sign = best ? 14 : 0;
        const float middle = box.rect.y + box.rect.height / 2;
        if (box.rect.height >= 14 && box.rect.width >= text_width(at.text) + sign + 4)
            text(cells_, {box.rect.x + (box.rect.width - sign) / 2, middle}, at.text, ink,
                 Anchor::centre, at.predicted ? Face::text : Face::medium);
        if (best && box.rect.height >= 10) {
            Box diamond;
            diamond.mark = true;
            diamond.shape = Shape::diamond;
            diamond.rect = {box.rect.x + box.rect.width - 9, middle, 9, 9};
            diamond.fill = ink;
            diamond.outline = transparent;
            cells_.boxes.push_back(diamond);
        }
        if (at.busy) frame(inside(box.rect, 1), theme_.accent, 2);
    }

    void frame(Rect rect, Colour colour, float wide) {
        Box box;
        box.rect = rect;
        box.fill = transparent;
        box.outline = colour;
        box.outline_width = wide;
        over_.boxes.push_back(box);
    }

    /// The contour of the cells that are not significantly slower than the best one.
    void band(float wide, Colour colour) {
        const auto in = [this](std::size_t column, std::size_t row) {
            return column < map_.x.size() && row < map_.y.size() &&
                   map_.cells[index(column, row)].in_band;
        };
        const float half = map_gap / 2;
        const auto line = [&](float x0, float y0, float x1, float y1) {
            over_.lines.push_back({{x0, y0}, {x1, y1}, colour, wide, false});
        };
        for (std::size_t row = 0; row < map_.y.size(); ++row)
            for (std::size_t column = 0; column < map_.x.size(); ++column) {
                if (!in(column, row)) continue;
                const Rect box = place(column, row);
                const float left = box.x - half, right = box.x + box.width + half;
                const float top = box.y - half, low = box.y + box.height + half;
                // Corners meet: lines have flat ends.
                const float more = wide / 2;
                // Beyond the first row or column the place wraps around, which is outside, too.
                if (!in(column, row - 1)) line(left - more, top, right + more, top);
                if (!in(column, row + 1)) line(left - more, low, right + more, low);
                if (!in(column - 1, row)) line(left, top - more, left, low + more);
                if (!in(column + 1, row)) line(right, top - more, right, low + more);
            }
    }

    void chosen() {
        if (!map_.chosen || *map_.chosen >= map_.cells.size()) return;
        const Rect rect = place(*map_.chosen % map_.x.size(), *map_.chosen / map_.x.size());
        frame(inside(rect, 0), theme_.canvas, 4);
        frame(inside(rect, 1), map_.focused ? theme_.accent : theme_.pick, 2);
    }

    const HeatMap& map_;
    float width_, height_;
    const Theme& theme_;
    Layer cells_, over_;
};

} // namespace

std::size_t heat_stop(double share) noexcept {
    return static_cast<std::size_t>(std::lround(std::clamp(share, 0.0, 1.0) * (heat_stops - 1)));
}

Rect heat_cell(const HeatMap& map, std::size_t column, std::size_t row, float width, float height) {
    const float left = map_side + std::min(labels_width(map), 0.3F * width) + 12;
    const float wide =
        std::min(widest, (width - left - map_side) /
                             static_cast<float>(std::max<std::size_t>(1, map.x.size())));
    const float tall =
        std::min(tallest, (height - map_above - below) /
                              static_cast<float>(std::max<std::size_t>(1, map.y.size())));
    return {left + static_cast<float>(column) * wide, map_above + static_cast<float>(row) * tall,
            std::max(wide - map_gap, 2.0F), std::max(tall - map_gap, 2.0F)};
}

DisplayList make_heat_map(const HeatMap& map, float width, float height, const Theme& theme) {
    return HeatMapMaker(map, width, height, theme).make();
}

} // namespace blockloom::scene
