#include "canvas/legend_strip.h"

#include "look/theme_style.h"
#include "scene/legend_signs.h"
#include "text/numbers.h"
#include "text/to_qt.h"

#include <QPainter>
#include <QSizePolicy>

#include <algorithm>

namespace blockloom::ui {
namespace {

constexpr int row_height = 20, strip_side = 12, above = 3, strip_gap = 20;
constexpr int sign_width = static_cast<int>(scene::sign_width), ramp_width = 96, to_label = 6;
constexpr int slack = 4; ///< advances are rounded

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
    case scene::Shape::circle: // no sign is round
        break;
    }
    return QPolygonF({r.topLeft(), r.topRight(), r.bottomRight(), r.bottomLeft()});
}

/// Lines and boxes of a sign, slanted ones smoothed.
void paint(QPainter& painter, const scene::Layer& sign) {
    const auto pen = [](scene::Colour colour, float width, bool dashed) {
        QPen made(qcolor(colour), static_cast<double>(width));
        made.setCapStyle(Qt::FlatCap);
        made.setJoinStyle(Qt::MiterJoin);
        if (dashed) made.setDashPattern({3.0 / static_cast<double>(width), 2.0});
        return made;
    };
    for (const scene::Line& line : sign.lines) {
        painter.setRenderHint(QPainter::Antialiasing, line.from.y != line.to.y);
        painter.setPen(pen(line.colour, line.width, line.dashed));
        painter.drawLine(QLineF(static_cast<double>(line.from.x), static_cast<double>(line.from.y),
                                static_cast<double>(line.to.x), static_cast<double>(line.to.y)));
    }
    for (const scene::Box& box : sign.boxes) {
        painter.setRenderHint(QPainter::Antialiasing, box.shape != scene::Shape::square);
        painter.setPen(Qt::NoPen);
        painter.setBrush(box.fill.a > 0 ? QBrush(qcolor(box.fill)) : QBrush());
        if (box.fill.a > 0) painter.drawPolygon(corners(box, 0));
        if (box.hatched) {
            painter.setBrush(QBrush(qcolor(box.outline), Qt::BDiagPattern));
            painter.drawPolygon(corners(box, 0));
        }
        if (box.outline.a == 0) continue;
        painter.setBrush(Qt::NoBrush);
        painter.setPen(pen(box.outline, box.outline_width, box.dashed));
        painter.drawPolygon(corners(box, static_cast<double>(box.outline_width) / 2));
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

} // namespace

LegendStrip::LegendStrip(QWidget* parent) : QWidget(parent) {
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setFont(text_font(11));
    setObjectName(QStringLiteral("legend"));
    setAccessibleName(tr("Legend"));
}

void LegendStrip::setCoverage(const QString& text) {
    if (text == coverage_) return;
    coverage_ = text;
    retell();
}

void LegendStrip::setItems(std::vector<scene::OverlayLegend> items) {
    items_ = std::move(items);
    retell();
}

void LegendStrip::retell() {
    setAccessibleDescription(text());
    updateGeometry();
    update();
}

QString LegendStrip::coverage() const {
    return coverage_;
}

QString LegendStrip::text() const {
    QStringList parts;
    if (!coverage_.isEmpty()) parts.append(coverage_);
    for (const scene::OverlayLegend& item : items_) {
        QString part = to_qt(item.label);
        if (!item.first.empty())
            part += tr(" from %1 to %2").arg(to_qt(item.first), to_qt(item.last));
        parts.append(part);
    }
    return parts.join(QStringLiteral(" · "));
}

int LegendStrip::widthOf(const scene::OverlayLegend& item) const {
    const QFontMetrics metrics = fontMetrics();
    const auto advance = [&](const std::string& s) { return metrics.horizontalAdvance(to_qt(s)); };
    if (item.sign == scene::OverlayLegend::Sign::ramp)
        return advance(item.label) + advance(item.first) + advance(item.last) + ramp_width +
               3 * to_label + slack;
    return sign_width + to_label + advance(item.label) + slack;
}

std::vector<LegendStrip::Place> LegendStrip::layOut(int width, int& height) const {
    std::vector<Place> places;
    int x = strip_side, y = above;
    const auto put = [&](int wide, int item) {
        if (x > strip_side && x + wide > width - strip_side) {
            x = strip_side;
            y += row_height;
        }
        places.push_back({QRect(x, y, std::min(wide, width - 2 * strip_side), row_height), item});
        x += wide + strip_gap;
    };
    if (!coverage_.isEmpty()) put(fontMetrics().horizontalAdvance(coverage_) + slack, -1);
    for (std::size_t i = 0; i < items_.size(); ++i) put(widthOf(items_[i]), static_cast<int>(i));
    height = y + row_height + above;
    return places;
}

QSize LegendStrip::sizeHint() const {
    return {200, heightForWidth(std::max(width(), 200))};
}

bool LegendStrip::hasHeightForWidth() const {
    return true;
}

int LegendStrip::heightForWidth(int width) const {
    int height = 0;
    (void)layOut(width, height);
    return height;
}

void LegendStrip::paintEvent(QPaintEvent*) {
    using Sign = scene::OverlayLegend::Sign;
    const scene::Theme& theme = current_theme();
    QPainter painter(this);
    painter.fillRect(rect(), qcolor(theme.panel));
    painter.fillRect(QRect(0, 0, width(), 1), qcolor(theme.line));
    int height = 0;
    for (const Place& place : layOut(width(), height)) {
        QRect rest = place.rect;
        const auto write = [&](const QString& text, scene::Colour colour) {
            painter.setPen(qcolor(colour));
            painter.drawText(rest, Qt::AlignVCenter | Qt::AlignLeft,
                             fontMetrics().elidedText(text, Qt::ElideRight, rest.width()));
            rest.setLeft(rest.left() + fontMetrics().horizontalAdvance(text) + to_label);
        };
        if (place.item < 0) {
            write(coverage_, theme.text);
            continue;
        }
        const scene::OverlayLegend& item = items_[static_cast<std::size_t>(place.item)];
        const QString label = to_qt(item.label);
        const int middle = rest.center().y();
        if (item.sign == Sign::ramp) {
            write(label, theme.text2);
            write(to_qt(item.first), theme.text2);
            constexpr int steps = 24, wide = ramp_width / steps;
            for (int i = 0; i < steps; ++i)
                painter.fillRect(QRect(rest.left() + i * wide, middle - 4, wide - 1, 9),
                                 qcolor(theme.ordinal(static_cast<std::size_t>(i), steps)));
            rest.setLeft(rest.left() + ramp_width + to_label);
            write(to_qt(item.last), theme.text2);
            continue;
        }
        const int left = rest.left();
        paint(painter, scene::sign_marks(item,
                                         {static_cast<float>(left) + scene::sign_width / 2,
                                          static_cast<float>(middle)},
                                         theme));
        rest.setLeft(left + sign_width + to_label);
        write(label, theme.text2);
    }
}

QString coverage_text(const scene::Coverage& coverage) {
    QString text = LegendStrip::tr("Drawing %1 of %2 %3")
                       .arg(count_text(coverage.drawn_edges), count_text(coverage.all_edges),
                            to_qt(coverage.unit));
    if (!coverage.folded.empty()) text += QStringLiteral(" · ") + to_qt(coverage.folded);
    return text;
}

} // namespace blockloom::ui
