#include "charts/picture.h"

#include "charts/axis.h"
#include "charts/decimate.h"
#include "charts/label_room.h"

#include <algorithm>
#include <cmath>

namespace blockloom::charts {
namespace {

using scene::Colour;
using scene::Rect;

constexpr float text_pixels = 11, row_height = 26, tall_row = 44, row_top = 6, bottom = 42;

/// Places one chart according to its axes.
class Painter {
public:
    Painter(const Chart& chart, const PictureOptions& options)
        : chart_(chart), options_(options), theme_(*options.theme), plot_(plot()), room_(plot_) {
        ground_.space = data_.space = top_.space = scene::Space::screen;
    }

    scene::DisplayList list() && {
        scene::DisplayList list;
        list.background = theme_.canvas;
        list.world = {0, 0, options_.width, height()};
        list.summary = chart_.summary.empty() ? chart_.title : chart_.summary;
        if (chart_.empty()) return list;
        for (const Band& band : chart_.bands) draw(band);
        axes();
        for (const Series& series : chart_.series) draw(series);
        for (const Label& label : chart_.labels) draw(label);
        for (scene::Layer* layer : {&ground_, &data_, &top_})
            list.layers.push_back(std::move(*layer));
        return list;
    }

    std::vector<Spot> spots() const {
        std::vector<Spot> found;
        for (const Series& series : chart_.series)
            for (const Point& point : series.points) {
                if (point.words.empty()) continue;
                const scene::Point at = place(point.x, point.y);
                found.push_back({series.kind == Kind::bars ? box(series, point)
                                                           : Rect{at.x - 6, at.y - 6, 12, 12},
                                 point.words});
            }
        return found;
    }

private:
    [[nodiscard]] float height() const { return chart_.rows ? height_of(chart_) : options_.height; }

    [[nodiscard]] Rect plot() const {
        float left = 16, right = 16;
        const float top = chart_.rows ? row_top : 30;
        const float low = height() - bottom;
        if (chart_.rows) {
            for (const Tick& tick : chart_.x.named)
                left = std::max(left, text_width(tick.label, text_pixels) + 16);
            for (const Label& label : chart_.labels)
                if (label.where == Label::Where::after)
                    right = std::max(right, text_width(label.text, text_pixels) + 16);
            left = std::min(left, options_.width * 0.4F);
            right = std::min(right, options_.width * 0.45F);
        } else {
            for (const Tick& tick : ticks_of(chart_.y, chart_.y.from, chart_.y.to,
                                             static_cast<double>(low - top), true))
                left = std::max(left, text_width(tick.label, text_pixels) + 14);
        }
        return {left, top, std::max(options_.width - left - right, 10.0F),
                std::max(low - top, 10.0F)};
    }

    /// 0 … 1 along an axis.
    [[nodiscard]] static double share(const Axis& axis, double value) {
        const double from = place_of(axis, axis.from), room = place_of(axis, axis.to) - from;
        return room > 0 ? (place_of(axis, value) - from) / room : 0.5;
    }
    [[nodiscard]] scene::Point place(double x, double y) const {
        const auto a = static_cast<float>(std::clamp(share(chart_.x, x), -8.0, 8.0));
        const auto b = static_cast<float>(std::clamp(share(chart_.y, y), -8.0, 8.0));
        if (chart_.rows) return {plot_.x + b * plot_.width, plot_.y + a * plot_.height};
        return {plot_.x + a * plot_.width, plot_.y + (1 - b) * plot_.height};
    }
    [[nodiscard]] Rect box(const Series& series, const Point& point) const {
        const double half = static_cast<double>(series.bar_width) / 2;
        const scene::Point a = place(point.x - half, point.from),
                           b = place(point.x + half, point.y);
        return {std::min(a.x, b.x), std::min(a.y, b.y), std::max(std::abs(b.x - a.x), 0.4F),
                std::max(std::abs(b.y - a.y), 0.4F)};
    }

    void text(scene::Layer& layer, scene::Point at, const std::string& words, Colour colour,
              scene::Anchor anchor, bool strong = false) {
        const float wide = text_width(words, text_pixels);
        const float left = anchor == scene::Anchor::left    ? at.x
                           : anchor == scene::Anchor::right ? at.x - wide
                                                            : at.x - wide / 2;
        room_.take({left, at.y - 7, wide, 14});
        layer.texts.push_back({at, words, colour, text_pixels, anchor,
                               strong ? scene::Face::medium : scene::Face::text});
    }

    void axes() {
        const float low = plot_.y + plot_.height, right = plot_.x + plot_.width;
        const Axis& across = chart_.rows ? chart_.y : chart_.x;
        const Axis& up = chart_.rows ? chart_.x : chart_.y;
        for (const Tick& tick :
             ticks_of(up, up.from, up.to, static_cast<double>(plot_.height), true)) {
            const float y =
                chart_.rows ? place(tick.at, chart_.y.from).y : place(chart_.x.from, tick.at).y;
            if (!chart_.rows)
                ground_.lines.push_back({{plot_.x, y}, {right, y}, theme_.grid, 1, false});
            text(ground_, {plot_.x - 6, y}, tick.label, chart_.rows ? theme_.text : theme_.text2,
                 scene::Anchor::right);
        }
        ground_.lines.push_back({{plot_.x, low}, {right, low}, theme_.control_border, 1, false});
        for (const Tick& tick :
             ticks_of(across, across.from, across.to, static_cast<double>(plot_.width), false)) {
            const float x =
                chart_.rows ? place(chart_.x.from, tick.at).x : place(tick.at, chart_.y.from).x;
            ground_.lines.push_back({{x, low}, {x, low + 4}, theme_.control_border, 1, false});
            text(ground_, {x, low + 13}, tick.label, theme_.text2, scene::Anchor::centre);
        }
        text(ground_, {(plot_.x + right) / 2, low + 29}, across.title, theme_.text3,
             scene::Anchor::centre);
        if (!chart_.rows)
            text(ground_, {8, plot_.y - 14}, up.title, theme_.text3, scene::Anchor::left);
    }

    void draw(const Band& band) {
        const Rect box = band_box(band);
        Colour soft = theme_.*band.ink;
        soft.a = 40;
        if (band.from == band.to) {
            const scene::Point to = band.of_x ? scene::Point{box.x, box.y + box.height}
                                              : scene::Point{box.x + box.width, box.y};
            line({box.x, box.y}, to, theme_.*band.ink, 1.5F, band.hatched);
        } else {
            scene::Box drawn;
            drawn.rect = box;
            drawn.fill = band.hatched ? Colour{0, 0, 0, 0} : soft;
            drawn.hatched = band.hatched;
            drawn.outline = theme_.*band.ink;
            ground_.boxes.push_back(drawn);
        }
        // A limit has its name above it, where there is room.
        const bool above = !band.of_x && band.from == band.to && box.y - 8 > plot_.y - 4;
        if (!band.label.empty())
            text(top_, {box.x + (band.of_x ? box.width / 2 : 4), box.y + (above ? -8 : 8)},
                 band.label, theme_.*band.ink,
                 band.of_x ? scene::Anchor::centre : scene::Anchor::left, true);
    }

    [[nodiscard]] Rect band_box(const Band& band) const {
        const auto held = [](const Axis& axis, double value) {
            return std::clamp(value, axis.from, axis.to);
        };
        const scene::Point a = band.of_x ? place(held(chart_.x, band.from), chart_.y.from)
                                         : place(chart_.x.from, held(chart_.y, band.from));
        const scene::Point b = band.of_x ? place(held(chart_.x, band.to), chart_.y.to)
                                         : place(chart_.x.to, held(chart_.y, band.to));
        return {std::min(a.x, b.x), std::min(a.y, b.y), std::abs(b.x - a.x), std::abs(b.y - a.y)};
    }

    /// Clipped at the plot's edges; dashes are separate lines, so that every sink shows them.
    void line(scene::Point from, scene::Point to, Colour colour, float width, bool dashed,
              float* walked = nullptr) {
        if (!cut(from, to)) return;
        room_.cross(from, to);
        const float length = std::hypot(to.x - from.x, to.y - from.y);
        if (!dashed) {
            data_.lines.push_back({from, to, colour, width, false});
            return;
        }
        const float dash = std::max(6.0F, 4 * width), whole = 1.6F * dash;
        float at = 0, phase = walked == nullptr ? 0 : std::fmod(*walked, whole);
        if (walked != nullptr) *walked += length;
        while (at < length) {
            const bool on = phase < dash;
            const float next = std::min(length, at + (on ? dash - phase : whole - phase));
            const auto there = [&](float share) {
                return scene::Point{from.x + share / length * (to.x - from.x),
                                    from.y + share / length * (to.y - from.y)};
            };
            if (on) data_.lines.push_back({there(at), there(next), colour, width, false});
            phase = on ? dash : 0;
            at = std::max(next, at + 0.01F);
        }
    }

    /// Liang–Barsky. False: nothing of it is inside.
    [[nodiscard]] bool cut(scene::Point& from, scene::Point& to) const {
        float first = 0, last = 1;
        const float dx = to.x - from.x, dy = to.y - from.y;
        const auto side = [&](float run, float room) {
            if (run == 0) return room >= 0;
            const float share = room / run;
            if (run < 0)
                first = std::max(first, share);
            else
                last = std::min(last, share);
            return first <= last;
        };
        const float slack = 0.5F;
        if (!side(-dx, from.x - plot_.x + slack) ||
            !side(dx, plot_.x + plot_.width + slack - from.x) ||
            !side(-dy, from.y - plot_.y + slack) ||
            !side(dy, plot_.y + plot_.height + slack - from.y))
            return false;
        const scene::Point begin = from;
        from = {begin.x + first * dx, begin.y + first * dy};
        to = {begin.x + last * dx, begin.y + last * dy};
        return first < last;
    }

    void draw(const Series& series) {
        const Colour colour = theme_.*series.ink;
        if (series.kind == Kind::bars) {
            for (std::size_t i = 0; i < series.points.size(); ++i)
                bar(series, series.points[i],
                    series.ramp ? theme_.ordinal(i, series.points.size()) : colour);
            return;
        }
        if (series.kind == Kind::points) {
            for (const Point& point : series.points) mark(series, point, colour);
            return;
        }
        const auto columns = static_cast<std::size_t>(std::max(plot_.width, 1.0F));
        const std::vector<Point> points =
            decimated(series.points, chart_.x.from, chart_.x.to, columns);
        float walked = 0;
        for (std::size_t i = 1; i < points.size(); ++i) {
            const scene::Point from = place(points[i - 1].x, points[i - 1].y),
                               to = place(points[i].x, points[i].y);
            // A gap in the data is a gap in the line.
            if (std::isnan(points[i - 1].y) || std::isnan(points[i].y)) continue;
            if (series.kind == Kind::step) {
                if (series.filled) area(points[i - 1], points[i], colour);
                line(from, {to.x, from.y}, colour, series.width, series.predicted, &walked);
                line({to.x, from.y}, to, colour, series.width, series.predicted, &walked);
            } else {
                line(from, to, colour, series.width, series.predicted, &walked);
            }
        }
    }

    void area(const Point& from, const Point& to, Colour colour) {
        const scene::Point a = place(from.x, from.from), b = place(to.x, from.y);
        scene::Box drawn;
        drawn.rect = {a.x, std::min(a.y, b.y), std::max(b.x - a.x, 0.4F), std::abs(a.y - b.y)};
        if (drawn.rect.height < 0.25F) return;
        drawn.fill = colour;
        data_.boxes.push_back(drawn);
    }

    void bar(const Series& series, const Point& point, Colour colour) {
        const Rect rect = box(series, point);
        const float along = chart_.rows ? rect.width : rect.height;
        if (!series.predicted && along < 0.5F) return; // too short to be seen
        scene::Box drawn;
        drawn.rect = rect;
        drawn.fill = colour;
        if (series.predicted || series.outlined) {
            drawn.fill = theme_.canvas;
            drawn.outline = colour;
            drawn.outline_width = 1.2F;
            drawn.dashed = series.predicted;
        }
        if (series.hatched) {
            drawn.hatched = true;
            drawn.outline = theme_.canvas;
            drawn.outline_width = chart_.rows ? 1 : 0;
        }
        data_.boxes.push_back(drawn);
        room_.take(rect);
    }

    void mark(const Series& series, const Point& point, Colour colour) {
        const scene::Point at = place(point.x, point.y);
        Rect taken{at.x - 6, at.y - 6, 12, 12};
        if (point.interval) {
            const float low = place(point.x, point.interval->low).y,
                        high = place(point.x, point.interval->high).y;
            top_.lines.push_back({{at.x, low}, {at.x, high}, colour, 1.5F, false});
            for (const float end : {low, high})
                top_.lines.push_back({{at.x - 4, end}, {at.x + 4, end}, colour, 1.5F, false});
            taken.y = std::min(taken.y, high);
            taken.height = std::max(low, at.y + 6) - taken.y;
        }
        room_.take(taken);
        if (series.mark == Mark::dash) {
            top_.lines.push_back({{at.x - 7, at.y}, {at.x + 7, at.y}, colour, 2, false});
            return;
        }
        scene::Box drawn;
        drawn.mark = true;
        const float size = series.predicted ? 12 : 9;
        drawn.rect = {at.x, at.y, size, size};
        drawn.shape = series.mark == Mark::square     ? scene::Shape::square
                      : series.mark == Mark::diamond  ? scene::Shape::diamond
                      : series.mark == Mark::triangle ? scene::Shape::triangle
                                                      : scene::Shape::circle;
        drawn.fill = series.predicted ? theme_.canvas : colour;
        drawn.outline = series.predicted ? colour : theme_.canvas;
        drawn.outline_width = series.predicted ? 2 : 1;
        top_.boxes.push_back(drawn);
    }

    void draw(const Label& label) {
        const Colour colour = theme_.*label.ink;
        const float wide = text_width(label.text, text_pixels);
        const scene::Point at = place(label.x, label.y);
        switch (label.where) {
        case Label::Where::near:
        case Label::Where::listed:
            if (const auto found = label.where == Label::Where::listed ? room_.list(at, wide)
                                                                       : room_.place(at, wide)) {
                if (found->covers) {
                    scene::Box ground;
                    ground.rect = {found->x - 2, found->y - 7, wide + 4, 14};
                    ground.fill = theme_.canvas;
                    top_.boxes.push_back(ground);
                }
                top_.texts.push_back({*found, label.text, colour, text_pixels, scene::Anchor::left,
                                      label.strong ? scene::Face::medium : scene::Face::text});
            }
            return;
        case Label::Where::inside: {
            const scene::Point other = place(label.x, label.from);
            if (std::abs(other.x - at.x) < wide + beside_name) return;
            scene::Box ground; // must be legible over hatches
            ground.rect = {(at.x + other.x) / 2 - wide / 2 - 3, at.y - 7, wide + 6, 14};
            ground.fill = theme_.canvas;
            top_.boxes.push_back(ground);
            return text(top_, {(at.x + other.x) / 2, at.y}, label.text, colour,
                        scene::Anchor::centre, label.strong);
        }
        case Label::Where::after:
            return text(top_, {at.x + 8, at.y}, label.text, colour, scene::Anchor::left,
                        label.strong);
        case Label::Where::corner:
            return text(top_, {at.x, at.y}, label.text, colour, scene::Anchor::left, label.strong);
        }
    }

    const Chart& chart_;
    const PictureOptions& options_;
    const scene::Theme& theme_;
    Rect plot_;
    LabelRoom room_;
    scene::Layer ground_, data_, top_;
};

} // namespace

float height_of(const Chart& chart) noexcept {
    if (!chart.rows) return 0;
    // A bar with a text above it needs room for both.
    const bool above = std::any_of(chart.labels.begin(), chart.labels.end(), [](const Label& at) {
        return at.where == Label::Where::corner;
    });
    return row_top +
           (above ? tall_row : row_height) *
               static_cast<float>(std::max(chart.x.to - chart.x.from, 1.0)) +
           bottom;
}

scene::DisplayList picture_of(const Chart& chart, const PictureOptions& options) {
    return Painter(chart, options).list();
}

std::vector<Spot> spots_of(const Chart& chart, const PictureOptions& options) {
    return Painter(chart, options).spots();
}

} // namespace blockloom::charts
