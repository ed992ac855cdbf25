#include "canvas/legend_layer.h"

#include "look/theme_style.h"

#include <QFontMetricsF>

#include <algorithm>

namespace blockloom::ui {
namespace {

using Sign = scene::OverlayLegend::Sign;

constexpr float side = 16, row_height = 20, gap = 20, to_label = 6, sign_width = 18, ramp = 96;
constexpr float text_pixels = 11;
constexpr std::size_t ramp_steps = 24;

/// Writes from left to right and wraps.
class Writer {
public:
    Writer(scene::Layer& layer, const scene::Theme& theme, float width, float top)
        : layer_(layer), theme_(theme), width_(width), x_(side), y_(top + row_height / 2),
          metrics_(text_font(11)) {}

    void room(float wide) {
        if (x_ > side && x_ + wide > width_ - side) {
            x_ = side;
            y_ += row_height;
        }
    }
    [[nodiscard]] float advance(const std::string& text) const {
        return static_cast<float>(metrics_.horizontalAdvance(QString::fromStdString(text))) + 2;
    }
    void text(const std::string& words, scene::Colour colour, float after) {
        layer_.texts.push_back(
            {{x_, y_}, words, colour, text_pixels, scene::Anchor::left, scene::Face::text});
        x_ += advance(words) + after;
    }
    void box(scene::Rect rect, scene::Colour fill, scene::Colour outline, float width,
             bool dashed = false) {
        layer_.boxes.push_back({.rect = rect,
                                .fill = fill,
                                .outline = outline,
                                .outline_width = width,
                                .dashed = dashed});
    }
    void item(const scene::OverlayLegend& legend) {
        if (legend.sign == Sign::ramp) {
            room(advance(legend.label) + advance(legend.first) + advance(legend.last) + ramp +
                 3 * to_label);
            text(legend.label, theme_.text2, to_label);
            text(legend.first, theme_.text2, to_label);
            const float wide = ramp / static_cast<float>(ramp_steps);
            for (std::size_t i = 0; i < ramp_steps; ++i)
                box({x_ + wide * static_cast<float>(i), y_ - 4, wide - 1, 9},
                    theme_.ordinal(i, ramp_steps), scene::transparent, 0);
            x_ += ramp + to_label;
            text(legend.last, theme_.text2, gap);
            return;
        }
        room(sign_width + to_label + advance(legend.label));
        const float middle = x_ + sign_width / 2;
        switch (legend.sign) {
        case Sign::line:
            box({x_, y_ - 1, sign_width, 3}, legend.colour, scene::transparent, 0);
            break;
        case Sign::mark:
            if (legend.colour == theme_.pick)
                box({middle - 5, y_ - 5, 10, 10}, scene::transparent, legend.colour, 2);
            else
                box({middle - 2, y_ - 2, 5, 5}, legend.colour, scene::transparent, 0);
            break;
        case Sign::hollow:
            box({x_, y_ - 4, sign_width, 9}, scene::transparent, legend.colour, 1, true);
            break;
        case Sign::filled:
            box({x_, y_ - 4, sign_width, 9}, legend.colour, scene::transparent, 0);
            break;
        case Sign::ramp:
            break;
        }
        x_ += sign_width + to_label;
        text(legend.label, theme_.text2, gap);
    }
    [[nodiscard]] float bottom() const { return y_ + row_height / 2; }

private:
    scene::Layer& layer_;
    const scene::Theme& theme_;
    float width_, x_, y_;
    QFontMetricsF metrics_;
};

} // namespace

scene::Layer legend_layer(const LegendStrip& legend, const scene::Theme& theme, QSize size,
                          int& height) {
    scene::Layer layer;
    layer.space = scene::Space::screen;
    const auto width = static_cast<float>(size.width());
    const auto top = static_cast<float>(size.height());
    layer.boxes.emplace_back(); // the ground, once its height is known
    Writer writer(layer, theme, width, top + 4);
    const std::string coverage = legend.coverage().toStdString();
    writer.text(coverage, theme.text, gap);
    for (const scene::OverlayLegend& item : legend.items()) writer.item(item);
    height = static_cast<int>(writer.bottom() - top) + 4;
    layer.boxes.front() = {.rect = {0, top, width, static_cast<float>(height)},
                           .fill = theme.panel,
                           .outline = scene::transparent};
    return layer;
}

} // namespace blockloom::ui
