#include "canvas/list_painter.h"

#include "look/theme_style.h"
#include "text/to_qt.h"

#include <QImage>
#include <QPainter>
#include <QPixmap>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace blockloom::ui {
namespace {

QRect pixels(const scene::Rect& rect) {
    const auto whole = [](float value) { return static_cast<int>(std::lround(value)); };
    const int left = whole(rect.x), top = whole(rect.y);
    return QRect(left, top, std::max(whole(rect.x + rect.width) - left, 1),
                 std::max(whole(rect.y + rect.height) - top, 1));
}

[[nodiscard]] bool is_plain(const scene::Box& box) noexcept {
    return box.fill.a == 255 && !box.hatched && (box.outline.a == 0 || box.outline_width < 0.5F);
}

/// Does what a painter would: a painter takes longer to begin a box than to fill one of a few
/// pixels, and a timeline has tens of thousands.
void fill_pixels(QImage& image, const QRect& rect, scene::Colour colour) {
    const double ratio = image.devicePixelRatio();
    const auto place = [ratio](int at) { return static_cast<int>(std::lround(at * ratio)); };
    const int left = std::max(place(rect.left()), 0), top = std::max(place(rect.top()), 0);
    const int right = std::min(place(rect.left() + rect.width()), image.width());
    const int bottom = std::min(place(rect.top() + rect.height()), image.height());
    if (left >= right || top >= bottom) return;
    const QRgb opaque = qRgb(colour.r, colour.g, colour.b);
    uchar* line = image.bits() + top * image.bytesPerLine();
    for (int y = top; y < bottom; ++y, line += image.bytesPerLine()) {
        auto* const pixel = reinterpret_cast<QRgb*>(line);
        std::fill(pixel + left, pixel + right, opaque);
    }
}

/// The stripes used last: neighbours usually have the same.
class Stripes {
public:
    const QBrush& brush(scene::Colour ground, scene::Colour colour) {
        if (!(ground == ground_) || !(colour == colour_) || brush_.style() == Qt::NoBrush) {
            ground_ = ground;
            colour_ = colour;
            brush_ = made(ground, QBrush(qcolor(colour), Qt::BDiagPattern));
        }
        return brush_;
    }

private:
    /// Pixels without alpha are copied; a pattern is blended, which is several times slower over a
    /// canvas of folded spans.
    static QBrush made(scene::Colour ground, const QBrush& stripes) {
        if (ground.a != 255) return stripes;
        constexpr int pattern_side = 64; // the pattern repeats after eight pixels
        QPixmap tile(pattern_side, pattern_side);
        tile.fill(qcolor(ground));
        QPainter(&tile).fillRect(tile.rect(), stripes);
        return QBrush(tile);
    }

    scene::Colour ground_, colour_;
    QBrush brush_;
};

void paint_box(QPainter& painter, const scene::Box& box, Stripes& stripes) {
    const QRect rect = pixels(box.rect);
    if (box.fill.a > 0 && !(box.hatched && box.fill.a == 255))
        painter.fillRect(rect, qcolor(box.fill));
    if (box.hatched)
        painter.fillRect(rect, stripes.brush(box.fill, box.outline.a > 0 ? box.outline : box.fill));
    const int line = static_cast<int>(std::lround(box.outline_width));
    if (box.outline.a == 0 || line <= 0) return;
    const QColor edge = qcolor(box.outline);
    painter.fillRect(QRect(rect.left(), rect.top(), rect.width(), line), edge);
    painter.fillRect(QRect(rect.left(), rect.bottom() - line + 1, rect.width(), line), edge);
    painter.fillRect(QRect(rect.left(), rect.top(), line, rect.height()), edge);
    painter.fillRect(QRect(rect.right() - line + 1, rect.top(), line, rect.height()), edge);
}

/// A face at a size is set up once a list, not once a text.
class Faces {
public:
    const QFont& font(const scene::Text& text) {
        auto& held = fonts_[static_cast<std::size_t>(text.face)];
        const int size = static_cast<int>(std::lround(text.pixels));
        if (!held || held->size != size) {
            const QFont font = text.face == scene::Face::mono
                                   ? mono_font(size)
                                   : text_font(size, text.face == scene::Face::medium);
            const QFontMetricsF metrics(font);
            held = Held{size, font, metrics, metrics.capHeight()};
        }
        return held->font;
    }
    [[nodiscard]] double width(const scene::Text& text, const QString& words) const {
        return fonts_[static_cast<std::size_t>(text.face)]->metrics.horizontalAdvance(words);
    }
    [[nodiscard]] double capitals(const scene::Text& text) const {
        return fonts_[static_cast<std::size_t>(text.face)]->capitals;
    }

private:
    struct Held {
        int size;
        QFont font;
        QFontMetricsF metrics;
        double capitals;
    };
    std::array<std::optional<Held>, 3> fonts_;
};

void paint_texts(QPainter& painter, const scene::Layer& layer, Faces& faces) {
    for (const scene::Text& text : layer.texts) {
        const QString words = to_qt(text.utf8);
        const QFont& font = faces.font(text);
        if (painter.font() != font) painter.setFont(font);
        double x = static_cast<double>(text.at.x);
        if (text.anchor != scene::Anchor::left) {
            const double width = faces.width(text, words);
            x -= text.anchor == scene::Anchor::right ? width : width / 2;
        }
        const double baseline = static_cast<double>(text.at.y) + faces.capitals(text) / 2;
        painter.setPen(qcolor(text.colour));
        painter.drawText(QPointF(std::round(x), std::round(baseline)), words);
    }
}

QPolygonF corners(const scene::Box& box, double inset) {
    const auto w = static_cast<double>(box.rect.width), h = static_cast<double>(box.rect.height);
    const auto x = static_cast<double>(box.rect.x), y = static_cast<double>(box.rect.y);
    const QRectF r = (box.mark ? QRectF(x - w / 2, y - h / 2, w, h) : QRectF(x, y, w, h))
                         .adjusted(inset, inset, -inset, -inset);
    const QPointF middle = r.center();
    switch (box.shape) {
    case scene::Shape::diamond:
        return QPolygonF({{middle.x(), r.top()},
                          {r.right(), middle.y()},
                          {middle.x(), r.bottom()},
                          {r.left(), middle.y()}});
    case scene::Shape::triangle:
        return QPolygonF({{middle.x(), r.top()}, r.bottomRight(), r.bottomLeft()});
    case scene::Shape::square:
    case scene::Shape::circle: // drawn as an ellipse
        break;
    }
    return QPolygonF({r.topLeft(), r.topRight(), r.bottomRight(), r.bottomLeft()});
}

/// A shape of a box, filled or outlined with what the painter has.
void draw_shape(QPainter& painter, const scene::Box& box, double inset) {
    const QPolygonF polygon = corners(box, inset);
    if (box.shape == scene::Shape::circle)
        painter.drawEllipse(polygon.boundingRect());
    else
        painter.drawPolygon(polygon);
}

QPen pen_of(scene::Colour colour, float width, bool dashed) {
    QPen made(qcolor(colour), static_cast<double>(width));
    made.setCapStyle(Qt::FlatCap);
    made.setJoinStyle(Qt::MiterJoin);
    if (dashed) made.setDashPattern({3.0 / static_cast<double>(width), 2.0});
    return made;
}

void draw_box(QPainter& painter, const scene::Box& box) {
    const bool plain = box.shape == scene::Shape::square && !box.mark;
    painter.setRenderHint(QPainter::Antialiasing, box.shape != scene::Shape::square);
    const QRect rect = pixels(box.rect);
    painter.setPen(Qt::NoPen);
    if (box.fill.a > 0 && plain) {
        painter.fillRect(rect, qcolor(box.fill));
    } else if (box.fill.a > 0) {
        painter.setBrush(qcolor(box.fill));
        draw_shape(painter, box, 0);
    }
    if (box.hatched) {
        painter.setBrush(QBrush(qcolor(box.outline), Qt::BDiagPattern));
        draw_shape(painter, box, 0);
    }
    if (box.outline.a == 0 || box.outline_width <= 0) return;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(pen_of(box.outline, box.outline_width, box.dashed));
    const double half = static_cast<double>(box.outline_width) / 2;
    if (plain)
        painter.drawRect(QRectF(rect).adjusted(half, half, -half, -half));
    else
        draw_shape(painter, box, half);
}

} // namespace

void paint_list(QImage& image, const scene::DisplayList& list) {
    fill_pixels(image, pixels(list.world), list.background);
    QPainter painter(&image);
    Faces faces;
    Stripes stripes;
    for (const scene::Layer& layer : list.layers) {
        for (const scene::Line& line : layer.lines) {
            painter.setPen(QPen(qcolor(line.colour), static_cast<double>(line.width)));
            painter.drawLine(QPoint(static_cast<int>(line.from.x), static_cast<int>(line.from.y)),
                             QPoint(static_cast<int>(line.to.x), static_cast<int>(line.to.y)));
        }
        for (const scene::Box& box : layer.boxes) {
            if (is_plain(box))
                fill_pixels(image, pixels(box.rect), box.fill);
            else
                paint_box(painter, box, stripes);
        }
        paint_texts(painter, layer, faces);
    }
}

void paint_layer(QPainter& painter, const scene::Layer& layer) {
    for (const scene::Line& line : layer.lines) {
        painter.setRenderHint(QPainter::Antialiasing,
                              line.from.y != line.to.y && line.from.x != line.to.x);
        painter.setPen(pen_of(line.colour, line.width, line.dashed));
        painter.drawLine(QLineF(static_cast<double>(line.from.x), static_cast<double>(line.from.y),
                                static_cast<double>(line.to.x), static_cast<double>(line.to.y)));
    }
    for (const scene::Box& box : layer.boxes) draw_box(painter, box);
    painter.setRenderHint(QPainter::Antialiasing, false);
    Faces faces;
    paint_texts(painter, layer, faces);
}

} // namespace blockloom::ui
