#include "scene/legend_signs.h"

#include "scene/layout.h"

namespace blockloom::scene {
namespace {

using Sign = OverlayLegend::Sign;

constexpr float margin = 16, sign_height = 20, sign_gap = 20, to_label = 6, ramp_width = 96,
                space_above = 4;
constexpr std::size_t ramp_steps = 24;

/// Writes from left to right and wraps.
class Rows {
public:
    Rows(const Theme& theme, float width, float top)
        : theme_(theme), width_(width), x_(margin), y_(top + space_above + sign_height / 2) {
        layer.space = Space::screen;
    }

    void words(const std::string& text, Colour colour, Face face) {
        if (text.empty()) return;
        room(advance(text));
        write(text, colour, sign_gap, face);
    }
    void item(const OverlayLegend& legend) {
        if (legend.sign == Sign::ramp) return ramp(legend);
        room(sign_width + to_label + advance(legend.label));
        Layer sign = sign_marks(legend, {x_ + sign_width / 2, y_}, theme_);
        layer.lines.insert(layer.lines.end(), sign.lines.begin(), sign.lines.end());
        layer.boxes.insert(layer.boxes.end(), sign.boxes.begin(), sign.boxes.end());
        x_ += sign_width + to_label;
        write(legend.label, theme_.text2, sign_gap);
    }
    [[nodiscard]] float bottom() const { return y_ + sign_height / 2 + space_above; }

    Layer layer;

private:
    void room(float wide) {
        if (x_ > margin && x_ + wide > width_ - margin) {
            x_ = margin;
            y_ += sign_height;
        }
    }
    static float advance(const std::string& text) {
        return layout::text_width(text, layout::text_pixels);
    }
    void write(const std::string& text, Colour colour, float after, Face face = Face::text) {
        layer.texts.push_back({{x_, y_}, text, colour, layout::text_pixels, Anchor::left, face});
        x_ += advance(text) + after;
    }
    void ramp(const OverlayLegend& legend) {
        room(advance(legend.label) + advance(legend.first) + advance(legend.last) + ramp_width +
             3 * to_label);
        write(legend.label, theme_.text2, to_label);
        write(legend.first, theme_.text2, to_label);
        const float wide = ramp_width / static_cast<float>(ramp_steps);
        for (std::size_t i = 0; i < ramp_steps; ++i)
            layer.boxes.push_back({.rect = {x_ + wide * static_cast<float>(i), y_ - 4, wide - 1, 9},
                                   .fill = theme_.ordinal(i, ramp_steps),
                                   .outline = transparent});
        x_ += ramp_width + to_label;
        write(legend.last, theme_.text2, sign_gap);
    }

    const Theme& theme_;
    float width_, x_, y_;
};

} // namespace

Layer sign_marks(const OverlayLegend& legend, Point middle, const Theme& theme) {
    Layer layer;
    layer.space = Space::screen;
    const Colour colour = legend.colour;
    const auto node = [&](float pixels, Shape shape, Colour fill, Colour outline, float width) {
        layer.boxes.push_back({.rect = {middle.x, middle.y, pixels, pixels},
                               .fill = fill,
                               .outline = outline,
                               .outline_width = width,
                               .shape = shape,
                               .mark = true});
    };
    const auto bar = [&](Colour fill, Colour outline, bool dashed, bool hatched) {
        layer.boxes.push_back({.rect = {middle.x - sign_width / 2, middle.y - 4, sign_width, 9},
                               .fill = fill,
                               .outline = outline,
                               .outline_width = outline.a > 0 ? 1.0F : 0.0F,
                               .dashed = dashed,
                               .hatched = hatched});
    };
    const auto line = [&](Point from, Point to, float width, bool dashed) {
        layer.lines.push_back({{middle.x + from.x, middle.y + from.y},
                               {middle.x + to.x, middle.y + to.y},
                               colour,
                               width,
                               dashed});
    };
    constexpr float half = sign_width / 2;
    switch (legend.sign) {
    case Sign::line:
        line({-half, 0}, {half, 0}, 2, false);
        break;
    case Sign::dashed_line:
        line({-half, 0}, {half, 0}, 2, true);
        break;
    case Sign::mark:
        node(6, Shape::square, colour, transparent, 0);
        break;
    case Sign::selected:
        node(10, Shape::square, transparent, colour, 2);
        break;
    case Sign::diamond:
        node(11, Shape::diamond, theme.panel, colour, 1.5F);
        break;
    case Sign::triangle:
        node(10, Shape::triangle, colour, transparent, 0);
        break;
    case Sign::cross:
        line({-4, -4}, {4, 4}, 2, false);
        line({-4, 4}, {4, -4}, 2, false);
        break;
    case Sign::filled:
        bar(colour, transparent, false, false);
        break;
    case Sign::hollow:
        bar(transparent, colour, true, false);
        break;
    case Sign::hatched:
        bar(transparent, colour, true, true);
        break;
    case Sign::ramp:
        break;
    }
    return layer;
}

LegendRows legend_rows(std::span<const OverlayLegend> legend, const std::string& title,
                       const std::string& coverage, const Theme& theme, float width, float top) {
    Rows rows(theme, width, top);
    rows.words(title, theme.text, Face::medium);
    rows.words(coverage, theme.text, Face::text);
    for (const OverlayLegend& item : legend) rows.item(item);
    const float height = rows.bottom() - top;
    Layer ground;
    ground.space = Space::screen;
    ground.boxes.push_back(
        {.rect = {0, top, width, height}, .fill = theme.panel, .outline = transparent});
    ground.boxes.push_back(
        {.rect = {0, top, width, 1}, .fill = theme.line, .outline = transparent});
    return {std::move(ground), std::move(rows.layer), height};
}

} // namespace blockloom::scene
