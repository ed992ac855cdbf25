#include "docks/tuning/tuning_map.h"

#include "look/theme_style.h"
#include "text/numbers.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace blockloom::ui {
namespace {

constexpr double map_above = 40, below = 8, map_gap = 4, map_side = 12;
constexpr double widest = 260, tallest = 96, title_room = 8;

QPolygonF diamond(QPointF middle, double radius) {
    return QPolygonF({{middle.x(), middle.y() - radius},
                      {middle.x() + radius, middle.y()},
                      {middle.x(), middle.y() + radius},
                      {middle.x() - radius, middle.y()}});
}

} // namespace

TuningMap::TuningMap(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("tuningMap"));
    setAccessibleName(tr("Times of the sweep"));
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void TuningMap::setShown(std::optional<Shown> shown) {
    shown_ = std::move(shown);
    setAccessibleDescription(text());
    update();
}

const runs::HeatMap::Cell* TuningMap::cell(int column, int row) const {
    const runs::HeatMap& map = shown_->map;
    return &map.cells[static_cast<std::size_t>(row) * map.x.size() +
                      static_cast<std::size_t>(column)];
}

std::optional<std::pair<double, double>> TuningMap::ends() const {
    if (!shown_) return std::nullopt;
    std::optional<std::pair<double, double>> found;
    for (const runs::HeatMap::Cell& one : shown_->map.cells) {
        if (one.median <= 0) continue;
        if (!found) found = {one.median, one.median};
        found->first = std::max(found->first, one.median);
        found->second = std::min(found->second, one.median);
    }
    return found;
}

std::size_t TuningMap::stop_of(double time) const {
    const auto range = ends();
    if (!range || range->first <= range->second) return stops - 1;
    const double share = (std::log(range->first) - std::log(time)) /
                         (std::log(range->first) - std::log(range->second));
    return static_cast<std::size_t>(std::lround(std::clamp(share, 0.0, 1.0) * (stops - 1)));
}

bool TuningMap::showsBest() const {
    return shown_ && std::any_of(shown_->map.cells.begin(), shown_->map.cells.end(),
                                 [this](const runs::HeatMap::Cell& at) {
                                     return at.median > 0 && !at.predicted &&
                                            shown_->best == at.point;
                                 });
}

bool TuningMap::showsBand() const {
    return shown_ && std::any_of(shown_->map.cells.begin(), shown_->map.cells.end(),
                                 [](const runs::HeatMap::Cell& at) { return at.in_band; });
}

QRectF TuningMap::cellAt(int column, int row) const {
    const QFontMetricsF metrics(text_font(11));
    double labels = metrics.horizontalAdvance(shown_->y_title);
    for (const QString& label : shown_->y)
        labels = std::max(labels, metrics.horizontalAdvance(label));
    const double left = map_side + std::min(labels, 0.3 * width()) + 12;
    const double wide = std::min(widest, (width() - left - map_side) /
                                             std::max<double>(1, double(shown_->x.size())));
    const double tall = std::min(tallest, (height() - map_above - below) /
                                              std::max<double>(1, double(shown_->y.size())));
    return {left + column * wide, map_above + row * tall, std::max(wide - map_gap, 2.0),
            std::max(tall - map_gap, 2.0)};
}

QString TuningMap::about(int column, int row) const {
    const runs::HeatMap::Cell& at = *cell(column, row);
    QString words = QStringLiteral("%1 %2, %3 %4: ")
                        .arg(shown_->x_title, shown_->x[column], shown_->y_title, shown_->y[row]);
    if (at.median <= 0) return words + tr("unknown");
    words += tr("%1 %2").arg(shown_->scale.withUnit(at.median),
                             at.predicted ? tr("predicted") : tr("measured"));
    if (shown_->best == at.point) words += tr(", the best point");
    if (at.in_band && shown_->best != at.point)
        words += tr(", not significantly different from the best");
    if (shown_->measuring == at.point) words += tr(", being measured");
    return words;
}

QString TuningMap::text() const {
    if (!shown_) return {};
    QStringList lines;
    for (int row = 0; row < shown_->y.size(); ++row)
        for (int column = 0; column < shown_->x.size(); ++column)
            if (cell(column, row)->median > 0) lines.append(about(column, row));
    return lines.join(QLatin1Char('\n'));
}

void TuningMap::paintCell(QPainter& painter, int column, int row) const {
    const scene::Theme& theme = current_theme();
    const runs::HeatMap::Cell& at = *cell(column, row);
    const QRectF box = cellAt(column, row);
    if (at.median <= 0) {
        painter.setPen(QPen(qcolor(theme.grid), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
        return;
    }
    const scene::Colour fill = theme.ordinal(stop_of(at.median), stops);
    scene::Colour ink = theme.text2;
    if (at.predicted) {
        QPen pen(qcolor(fill), 1.4);
        pen.setDashPattern({3, 3});
        painter.setPen(pen);
        painter.setBrush(qcolor(theme.canvas));
        painter.drawRect(box.adjusted(0.7, 0.7, -0.7, -0.7));
    } else {
        painter.fillRect(box, qcolor(fill));
        ink = scene::contrast(theme.canvas, fill) >= scene::contrast(theme.pick, fill)
                  ? theme.canvas
                  : theme.pick;
    }
    const bool best = shown_->best == at.point && !at.predicted;
    const QString value = shown_->scale.text(at.median);
    painter.setFont(text_font(11, !at.predicted));
    const double wide = painter.fontMetrics().horizontalAdvance(value);
    const double sign = best ? 14 : 0;
    if (box.height() >= 14 && box.width() >= wide + sign + 4) {
        painter.setPen(qcolor(ink));
        painter.drawText(box.adjusted(0, 0, -sign, 0), Qt::AlignCenter, value);
    }
    if (best && box.height() >= 10) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(qcolor(ink));
        painter.drawPolygon(diamond({box.right() - 9, box.center().y()}, 4.5));
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
    if (shown_->measuring == at.point) {
        painter.setPen(QPen(qcolor(theme.accent), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(box.adjusted(1, 1, -1, -1));
    }
}

/// The contour of the cells that are not significantly slower than the best one.
void TuningMap::paintBand(QPainter& painter) const {
    const auto inside = [this](int column, int row) {
        return column >= 0 && row >= 0 && column < shown_->x.size() && row < shown_->y.size() &&
               cell(column, row)->in_band;
    };
    const double half = map_gap / 2;
    for (const auto& [colour, pen_width] :
         {std::pair{current_theme().canvas, 4.0}, {current_theme().pick, 2.0}}) {
        painter.setPen(QPen(qcolor(colour), pen_width, Qt::SolidLine, Qt::SquareCap));
        for (int row = 0; row < shown_->y.size(); ++row)
            for (int column = 0; column < shown_->x.size(); ++column) {
                if (!inside(column, row)) continue;
                const QRectF box = cellAt(column, row).adjusted(-half, -half, half, half);
                if (!inside(column, row - 1)) painter.drawLine(box.topLeft(), box.topRight());
                if (!inside(column, row + 1)) painter.drawLine(box.bottomLeft(), box.bottomRight());
                if (!inside(column - 1, row)) painter.drawLine(box.topLeft(), box.bottomLeft());
                if (!inside(column + 1, row)) painter.drawLine(box.topRight(), box.bottomRight());
            }
    }
}

void TuningMap::paintEvent(QPaintEvent*) {
    const scene::Theme& theme = current_theme();
    QPainter painter(this);
    painter.fillRect(rect(), qcolor(theme.canvas));
    if (!shown_ || shown_->x.isEmpty() || shown_->y.isEmpty()) return;
    const QRectF first = cellAt(0, 0);
    painter.setFont(text_font(11));
    painter.setPen(qcolor(theme.text2));
    painter.drawText(QRectF(first.left(), 4, width() - first.left() - map_side, 16),
                     Qt::AlignLeft | Qt::AlignVCenter, shown_->x_title);
    painter.drawText(QRectF(map_side, 22, first.left() - map_side - title_room, 16),
                     Qt::AlignRight | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(shown_->y_title, Qt::ElideRight,
                                                      int(first.left() - map_side - title_room)));
    // Where not every column has room for its label, every second or third one is named.
    double widest_label = 0;
    for (const QString& label : shown_->x)
        widest_label =
            std::max<double>(widest_label, painter.fontMetrics().horizontalAdvance(label));
    const int every =
        std::max(1, static_cast<int>(std::ceil((widest_label + 6) / (first.width() + map_gap))));
    for (int column = 0; column < shown_->x.size(); column += every) {
        const QRectF box = cellAt(column, 0);
        painter.drawText(QRectF(box.center().x() - widest_label / 2 - 3, 22, widest_label + 6, 16),
                         Qt::AlignCenter, shown_->x[column]);
    }
    for (int row = 0; row < shown_->y.size(); ++row) {
        const QRectF box = cellAt(0, row);
        if (box.height() >= 10 || row % 2 == 0)
            painter.drawText(
                QRectF(map_side, box.center().y() - 8, box.left() - map_side - title_room, 16),
                Qt::AlignRight | Qt::AlignVCenter,
                painter.fontMetrics().elidedText(
                    shown_->y[row], Qt::ElideRight,
                    static_cast<int>(box.left() - map_side - title_room)));
    }
    for (int row = 0; row < shown_->y.size(); ++row)
        for (int column = 0; column < shown_->x.size(); ++column) paintCell(painter, column, row);
    paintBand(painter);
    if (!shown_->chosen) return;
    const auto place = placeOf(*shown_->chosen);
    if (!place) return;
    const QRectF box = cellAt(place->first, place->second);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(qcolor(theme.canvas), 4));
    painter.drawRect(box.adjusted(2, 2, -2, -2));
    painter.setPen(QPen(qcolor(hasFocus() ? theme.accent : theme.pick), 2));
    painter.drawRect(box.adjusted(2, 2, -2, -2));
}

std::optional<std::pair<int, int>> TuningMap::placeOf(std::size_t point) const {
    for (int row = 0; row < shown_->y.size(); ++row)
        for (int column = 0; column < shown_->x.size(); ++column)
            if (cell(column, row)->median > 0 && cell(column, row)->point == point)
                return std::pair{column, row};
    return std::nullopt;
}

std::optional<std::pair<int, int>> TuningMap::placeAt(QPointF at) const {
    if (!shown_) return std::nullopt;
    for (int row = 0; row < shown_->y.size(); ++row)
        for (int column = 0; column < shown_->x.size(); ++column)
            if (cellAt(column, row).contains(at)) return std::pair{column, row};
    return std::nullopt;
}

void TuningMap::mousePressEvent(QMouseEvent* event) {
    const auto place = placeAt(event->position());
    if (event->button() != Qt::LeftButton || !place) return QWidget::mousePressEvent(event);
    const runs::HeatMap::Cell& at = *cell(place->first, place->second);
    if (at.median > 0) Q_EMIT chosen(at.point);
}

/// Arrow keys step through the cells, Home goes to the best point.
void TuningMap::keyPressEvent(QKeyEvent* event) {
    const int key = event->key();
    const bool arrow =
        key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down;
    if (!shown_ || shown_->x.isEmpty() || (!arrow && key != Qt::Key_Home))
        return QWidget::keyPressEvent(event);
    std::optional<std::pair<int, int>> place;
    if (key != Qt::Key_Home && shown_->chosen) place = placeOf(*shown_->chosen);
    if (!place) {
        if (shown_->best) place = placeOf(*shown_->best);
        place = place.value_or(std::pair{0, 0});
    } else {
        const int dx = key == Qt::Key_Right ? 1 : key == Qt::Key_Left ? -1 : 0;
        const int dy = key == Qt::Key_Down ? 1 : key == Qt::Key_Up ? -1 : 0;
        // Skips unknown cells.
        for (int x = place->first + dx, y = place->second + dy;
             x >= 0 && y >= 0 && x < shown_->x.size() && y < shown_->y.size(); x += dx, y += dy)
            if (cell(x, y)->median > 0) {
                place = std::pair{x, y};
                break;
            }
    }
    const runs::HeatMap::Cell& at = *cell(place->first, place->second);
    if (at.median <= 0) return;
    const QString words = about(place->first, place->second);
    QToolTip::showText(
        mapToGlobal(cellAt(place->first, place->second).bottomLeft().toPoint() + QPoint(0, 4)),
        words, this);
    Q_EMIT chosen(at.point);
    setAccessibleDescription(words);
}

bool TuningMap::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const auto place = placeAt(help->pos()))
            QToolTip::showText(help->globalPos(), about(place->first, place->second), this);
        else
            QToolTip::hideText();
        return true;
    }
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) update();
    return QWidget::event(event);
}

} // namespace blockloom::ui
