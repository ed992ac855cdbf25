#include "charts/chart_items.h"

#include "charts/label_room.h"
#include "look/theme_style.h"
#include "text/to_qt.h"

#include <QPainter>
#include <QPixmap>

#include <algorithm>
#include <cmath>

namespace blockloom::ui {
namespace {

using charts::Label;

scene::Point point_of(QPointF at) {
    return {static_cast<float>(at.x()), static_cast<float>(at.y())};
}
scene::Rect rect_of(const QRectF& rect) {
    return {static_cast<float>(rect.x()), static_cast<float>(rect.y()),
            static_cast<float>(rect.width()), static_cast<float>(rect.height())};
}

/// A text on its own background, so that it is legible over grid and curves.
void paint_reading(QPainter& painter, QRectF box, const QString& text, const QRectF& within) {
    const scene::Theme& theme = current_theme();
    box.moveLeft(std::clamp(box.left(), within.left(),
                            std::max(within.left(), within.right() - box.width())));
    box.moveTop(std::clamp(box.top(), within.top(),
                           std::max(within.top(), within.bottom() - box.height())));
    painter.fillRect(box, qcolor(theme.raised));
    painter.setPen(qcolor(theme.text));
    painter.drawText(box, Qt::AlignCenter, text);
}

} // namespace

QBrush hatched_brush(const QColor& ground, const QColor& stripe, qreal pixel_ratio) {
    constexpr int tile = 8;
    QPixmap pixmap(QSize(tile, tile) * pixel_ratio);
    pixmap.setDevicePixelRatio(pixel_ratio);
    pixmap.fill(ground);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(stripe, 1.6));
    for (const int from : {-tile, 0, tile})
        painter.drawLine(QPointF(from - 1, tile + 1), QPointF(from + tile + 1, -1));
    return QBrush(pixmap);
}

ChartItems::ChartItems(Layer layer, QGraphicsItem* parent) : QGraphicsItem(parent), layer_(layer) {
    // Qt Charts has its axes at 3 and all series at 4 and above (6.4: chartpresenter_p.h).
    setZValue(layer == Layer::under ? 3.5 : 20);
    setAcceptedMouseButtons(Qt::NoButton);
}

void ChartItems::setShown(const charts::Chart* chart, Place place, QRectF plot) {
    prepareGeometryChange();
    chart_ = chart;
    place_ = std::move(place);
    plot_ = plot;
    area_ = parentItem()->boundingRect();
    update();
}

void ChartItems::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
    if (chart_ == nullptr || chart_->empty() || plot_.isEmpty()) return;
    painter->save();
    if (layer_ == Layer::under) {
        for (const charts::Band& band : chart_->bands) paintBand(*painter, band);
    } else {
        painter->save();
        painter->setClipRect(plot_.adjusted(-8, -8, 8, 8));
        for (const charts::Series& series : chart_->series) {
            if (series.ramp) paintRamp(*painter, series);
            paintErrors(*painter, series);
        }
        painter->restore();
        paintLabels(*painter);
    }
    painter->restore();
}

void ChartItems::paintBand(QPainter& painter, const charts::Band& band) const {
    const QColor ink = qcolor(current_theme().*band.ink);
    const QPointF a =
        band.of_x ? place_(band.from, chart_->y.from) : place_(chart_->x.from, band.from);
    const QPointF b = band.of_x ? place_(band.to, chart_->y.to) : place_(chart_->x.to, band.to);
    // Along the other axis a band has no end.
    QRectF box(QPointF(std::min(a.x(), b.x()), std::min(a.y(), b.y())),
               QPointF(std::max(a.x(), b.x()), std::max(a.y(), b.y())));
    const bool upright = band.of_x != chart_->rows;
    if (upright) {
        box.setTop(plot_.top());
        box.setBottom(plot_.bottom());
    } else {
        box.setLeft(plot_.left());
        box.setRight(plot_.right());
    }
    if (!box.adjusted(-0.5, -0.5, 0.5, 0.5).intersects(plot_)) return;
    if (band.from == band.to) {
        painter.setPen(QPen(ink, 1.5, band.hatched ? Qt::DashLine : Qt::SolidLine));
        painter.drawLine(box.topLeft(), upright ? box.bottomLeft() : box.topRight());
    } else {
        box = box.intersected(plot_);
        if (band.hatched) {
            painter.fillRect(box, QBrush(ink, Qt::BDiagPattern));
        } else {
            QColor soft = ink;
            soft.setAlpha(40);
            painter.fillRect(box, soft);
        }
    }
    if (band.label.empty()) return;
    painter.setFont(text_font(11, true));
    const QString text = to_qt(band.label);
    const double wide = painter.fontMetrics().horizontalAdvance(text) + 4;
    const double left = upright ? box.center().x() - wide / 2 : box.left() + 4;
    painter.setPen(ink);
    painter.drawText(
        QRectF(std::clamp(left, plot_.left(), std::max(plot_.left(), plot_.right() - wide)),
               box.top() + 1, wide, 14),
        Qt::AlignCenter, text);
}

/// Bars with a colour each: Qt Charts would need a set of bars for each of them.
void ChartItems::paintRamp(QPainter& painter, const charts::Series& series) const {
    const double half = static_cast<double>(series.bar_width) / 2;
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (std::size_t i = 0; i < series.points.size(); ++i) {
        const charts::Point& point = series.points[i];
        QRectF bar = QRectF(place_(point.x - half, point.from), place_(point.x + half, point.y))
                         .normalized()
                         .intersected(plot_);
        if (bar.height() <= 0) continue;
        if (bar.width() < 1) bar.setWidth(1);
        painter.fillRect(bar, qcolor(current_theme().ordinal(i, series.points.size())));
    }
    painter.setRenderHint(QPainter::Antialiasing);
}

void ChartItems::paintErrors(QPainter& painter, const charts::Series& series) const {
    const QColor ink = qcolor(current_theme().*series.ink);
    for (const charts::Point& point : series.points) {
        if (std::isnan(point.y)) continue;
        const QPointF at = place_(point.x, point.y);
        if (series.mark == charts::Mark::dash && series.kind == charts::Kind::points) {
            painter.setPen(QPen(ink, 2));
            painter.drawLine(at - QPointF(7, 0), at + QPointF(7, 0));
        }
        if (!point.interval) continue;
        const QPointF low = place_(point.x, point.interval->low),
                      high = place_(point.x, point.interval->high);
        painter.setPen(QPen(ink, 1.5));
        painter.drawLine(low, high);
        const QPointF cap = chart_->rows ? QPointF(0, 4) : QPointF(4, 0);
        for (const QPointF end : {low, high}) painter.drawLine(end - cap, end + cap);
    }
}

/// First the labels with a fixed place, then those that look for room.
void ChartItems::paintLabels(QPainter& painter) const {
    const scene::Theme& theme = current_theme();
    charts::LabelRoom room(rect_of(plot_));
    for (const charts::Series& series : chart_->series) {
        if (series.kind == charts::Kind::bars) continue;
        for (std::size_t i = 0; i < series.points.size(); ++i) {
            const charts::Point& point = series.points[i];
            if (std::isnan(point.y)) continue;
            const QPointF at = place_(point.x, point.y);
            if (series.kind == charts::Kind::points) {
                QRectF taken(at.x() - 6, at.y() - 6, 12, 12);
                if (point.interval)
                    taken = taken.united(QRectF(place_(point.x, point.interval->high),
                                                place_(point.x, point.interval->low))
                                             .normalized()
                                             .adjusted(-4, -4, 4, 4));
                room.take(rect_of(taken));
            } else if (i > 0 && !std::isnan(series.points[i - 1].y)) {
                const charts::Point& before = series.points[i - 1];
                const QPointF from = place_(before.x, before.y);
                if (series.kind == charts::Kind::step) { // along its steps
                    room.cross(point_of(from), point_of({at.x(), from.y()}));
                    room.cross(point_of({at.x(), from.y()}), point_of(at));
                } else {
                    room.cross(point_of(from), point_of(at));
                }
            }
        }
    }
    for (const charts::Band& band : chart_->bands) {
        if (band.from != band.to) continue;
        const bool of_x = band.of_x;
        room.cross(
            point_of(of_x ? place_(band.from, chart_->y.from) : place_(chart_->x.from, band.from)),
            point_of(of_x ? place_(band.from, chart_->y.to) : place_(chart_->x.to, band.from)));
    }
    for (const Label& label : chart_->labels) {
        painter.setFont(text_font(11, label.strong));
        const QString text = to_qt(label.text);
        const double wide = painter.fontMetrics().horizontalAdvance(text);
        const QPointF at = place_(label.x, label.y);
        QRectF box(at.x() + 8, at.y() - 7, wide + 2, 14);
        bool ground = false;
        switch (label.where) {
        case Label::Where::near:
        case Label::Where::listed: {
            if (!plot_.adjusted(-1, -1, 1, 1).contains(at)) continue; // zoomed away
            const auto width = static_cast<float>(wide);
            const auto found = label.where == Label::Where::listed
                                   ? room.list(point_of(at), width)
                                   : room.place(point_of(at), width);
            if (!found) continue;
            box.moveTopLeft(
                QPointF(static_cast<double>(found->x), static_cast<double>(found->y) - 7));
            ground = found->covers;
            break;
        }
        case Label::Where::inside: {
            const QPointF other = place_(label.x, label.from);
            // The bar is seen on both sides of its name.
            if (std::abs(other.x() - at.x()) < wide + charts::beside_name) continue;
            box.moveCenter((at + other) / 2);
            if (!plot_.contains(box)) continue;
            ground = true;
            break;
        }
        case Label::Where::after:
            if (at.y() < plot_.top() || at.y() > plot_.bottom()) continue;
            // Before its bar where nothing is free behind it, else over it.
            if (box.right() > plot_.right()) {
                const double before = place_(label.x, label.from).x() - 8;
                const bool free = before - box.width() > plot_.left();
                box.moveRight(free ? before : plot_.right());
                ground = !free;
            }
            break;
        case Label::Where::corner:
            if (at.y() < plot_.top() || at.y() > plot_.bottom()) continue;
            box.moveLeft(std::max(at.x(), plot_.left()) + 2);
            box.setRight(std::max(plot_.right(), box.left() + 8));
            break;
        }
        if (ground) painter.fillRect(box.adjusted(-3, 0, 3, 0), qcolor(theme.canvas));
        painter.setPen(qcolor(theme.*label.ink));
        painter.drawText(box, Qt::AlignVCenter | Qt::AlignLeft,
                         painter.fontMetrics().elidedText(text, Qt::ElideRight,
                                                          static_cast<int>(box.width()) + 1));
    }
}

ChartCrosshair::ChartCrosshair(QGraphicsItem* parent) : QGraphicsItem(parent) {
    setZValue(30);
    setAcceptedMouseButtons(Qt::NoButton);
}

void ChartCrosshair::setAt(std::optional<QPointF> at, const QString& across, const QString& up,
                           QRectF plot) {
    if (at == at_ && across == across_ && up == up_ && plot == plot_) return;
    prepareGeometryChange();
    at_ = at;
    across_ = across;
    up_ = up;
    plot_ = plot;
    area_ = parentItem()->boundingRect();
    update();
}

void ChartCrosshair::setRing(QRectF ring) {
    if (ring == ring_) return;
    ring_ = ring;
    update();
}

QString ChartCrosshair::readings() const {
    return at_ ? QStringLiteral("%1, %2").arg(across_, up_) : QString();
}

void ChartCrosshair::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
    if (!at_) return;
    const scene::Theme& theme = current_theme();
    painter->save();
    painter->setPen(QPen(qcolor(theme.text3), 1, Qt::DotLine));
    painter->drawLine(QPointF(plot_.left(), at_->y()), QPointF(plot_.right(), at_->y()));
    painter->drawLine(QPointF(at_->x(), plot_.top()), QPointF(at_->x(), plot_.bottom()));
    if (!ring_.isEmpty()) {
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setBrush(Qt::NoBrush);
        painter->setPen(QPen(qcolor(theme.pick), 2));
        if (ring_.width() <= 20 && ring_.height() <= 20)
            painter->drawEllipse(ring_.center(), 9, 9);
        else
            painter->drawRect(ring_.adjusted(-1, -1, 1, 1));
        painter->setRenderHint(QPainter::Antialiasing, false);
    }
    painter->setFont(text_font(11));
    const auto size = [&](const QString& text) {
        return QSizeF(painter->fontMetrics().horizontalAdvance(text) + 8, 15);
    };
    if (!across_.isEmpty())
        paint_reading(*painter,
                      QRectF(QPointF(at_->x() - size(across_).width() / 2, plot_.bottom() + 3),
                             size(across_)),
                      across_, area_);
    if (!up_.isEmpty())
        paint_reading(
            *painter,
            QRectF(QPointF(plot_.left() - size(up_).width() - 2, at_->y() - 8), size(up_)), up_,
            area_);
    painter->restore();
}

} // namespace blockloom::ui
