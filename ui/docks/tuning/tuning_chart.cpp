#include "docks/tuning/tuning_chart.h"

#include "look/theme_style.h"
#include "text/numbers.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace blockloom::ui {
namespace {

constexpr double left = 64, right = 20, above = 26, below = 24, radius = 5;
using Curve = runs::TuningCurve;

QPolygonF diamond(QPointF middle, double size) {
    return QPolygonF({{middle.x(), middle.y() - size},
                      {middle.x() + size, middle.y()},
                      {middle.x(), middle.y() + size},
                      {middle.x() - size, middle.y()}});
}

} // namespace

TuningChart::TuningChart(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("tuningChart"));
    setAccessibleName(tr("Time over the largest batch"));
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void TuningChart::setShown(std::optional<Shown> shown) {
    shown_ = std::move(shown);
    setAccessibleDescription(text());
    update();
}

QString TuningChart::about(const Curve::Point& point) const {
    QString words = tr("batch max %1: %2 %3")
                        .arg(axis_value(runs::TuningAxis::batch_max, point.batch_max),
                             shown_->scale.withUnit(point.time),
                             point.predicted ? tr("predicted") : tr("measured"));
    if (point.interval)
        words += tr(", 95 % interval %1 to %2")
                     .arg(shown_->scale.text(point.interval->low),
                          shown_->scale.text(point.interval->high));
    if (point.in_band) words += tr(", in the optimum band");
    return words;
}

QString TuningChart::text() const {
    if (!shown_) return {};
    QStringList lines;
    for (const Curve::Point& point : shown_->curve.points) lines.append(about(point));
    if (shown_->curve.serial.there)
        lines.append(tr("CPU serial: %1").arg(shown_->scale.withUnit(shown_->curve.serial.time)));
    if (shown_->curve.cpu.there)
        lines.append(tr("CPU at its best: %1").arg(shown_->scale.withUnit(shown_->curve.cpu.time)));
    if (const QString words = crossing_words(shown_->curve, shown_->name); !words.isEmpty())
        lines.append(words);
    return lines.join(QLatin1Char('\n'));
}

QRectF TuningChart::frame() const {
    return {left, above, std::max(width() - left - right, 10.0),
            std::max(height() - above - below, 10.0)};
}

std::pair<double, double> TuningChart::times() const {
    double low = 1e300, high = 0;
    const auto take = [&](double time) {
        low = std::min(low, time);
        high = std::max(high, time);
    };
    for (const Curve::Point& point : shown_->curve.points) {
        take(point.time);
        if (point.interval) take(point.interval->low), take(point.interval->high);
    }
    for (const Curve::Line& line : {shown_->curve.serial, shown_->curve.cpu})
        if (line.there) take(line.time);
    return {low * 0.85, high * 1.18};
}

double TuningChart::x_of(double batch) const {
    const auto& points = shown_->curve.points;
    const double low = std::log(points.front().batch), high = std::log(points.back().batch);
    const QRectF box = frame();
    if (high <= low) return box.center().x();
    return box.left() + 10 + (std::log(batch) - low) / (high - low) * (box.width() - 20);
}

double TuningChart::y_of(double time) const {
    const auto [low, high] = times();
    const QRectF box = frame();
    return box.bottom() -
           (std::log(time) - std::log(low)) / (std::log(high) - std::log(low)) * box.height();
}

QPointF TuningChart::placeOf(std::size_t index) const {
    const Curve::Point& point = shown_->curve.points[index];
    return {x_of(point.batch), y_of(point.time)};
}

scene::Colour TuningChart::colour() const {
    const scene::Theme& theme = current_theme();
    return shown_->curve.along.backend == "cpu" ? theme.cpu_native : theme.vulkan;
}

void TuningChart::paintAxes(QPainter& painter) const {
    const scene::Theme& theme = current_theme();
    const QRectF box = frame();
    painter.setFont(text_font(11));
    const auto [low, high] = times();
    // 1, 2 and 5 of each power of ten, as many as there is room for.
    const double unit = shown_->scale.divisor * shown_->scale.unit.ns;
    double last = 1e9;
    for (double power = std::pow(10, std::floor(std::log10(low / unit))); power <= high / unit;
         power *= 10)
        for (const double step : {1.0, 2.0, 5.0}) {
            const double time = step * power * unit;
            if (time < low || time > high) continue;
            const double y = std::round(y_of(time)) + 0.5;
            if (last - y < 22 && last < 1e9) continue;
            last = y;
            painter.setPen(qcolor(theme.grid));
            painter.drawLine(QPointF(box.left(), y), QPointF(box.right(), y));
            painter.setPen(qcolor(theme.text2));
            painter.drawText(QRectF(4, y - 8, left - 12, 16), Qt::AlignRight | Qt::AlignVCenter,
                             significant_text(step * power));
        }
    painter.setPen(qcolor(theme.control_border));
    painter.drawLine(box.bottomLeft(), box.bottomRight());
    double free_from = -1e9;
    for (const Curve::Point& point : shown_->curve.points) {
        const double x = x_of(point.batch);
        painter.setPen(qcolor(theme.control_border));
        painter.drawLine(QPointF(x, box.bottom()), QPointF(x, box.bottom() + 4));
        const QString label = axis_value(runs::TuningAxis::batch_max, point.batch_max);
        const double wide = painter.fontMetrics().horizontalAdvance(label);
        if (x - wide / 2 < free_from) continue;
        free_from = x + wide / 2 + 8;
        painter.setPen(qcolor(theme.text2));
        painter.drawText(QRectF(x - wide / 2 - 2, box.bottom() + 5, wide + 4, 16), Qt::AlignCenter,
                         label);
    }
    painter.setPen(qcolor(theme.text2));
    painter.drawText(
        QRectF(12, 4, width() - 24, 16), Qt::AlignLeft | Qt::AlignVCenter,
        painter.fontMetrics().elidedText(
            tr("%1 over batch max, both axes log · %2, %3")
                .arg(shown_->scale.name(), shown_->name,
                     counted(shown_->curve.along.how.workers, tr("worker"), tr("workers"))),
            Qt::ElideRight, width() - 24));
}

void TuningChart::paintBand(QPainter& painter) const {
    if (!shown_->curve.band) return;
    const scene::Theme& theme = current_theme();
    const QRectF box = frame();
    const double from = x_of(shown_->curve.band->low) - 9, to = x_of(shown_->curve.band->high) + 9;
    QColor ground = qcolor(theme.accent);
    ground.setAlphaF(0.16F);
    painter.fillRect(QRectF(from, box.top(), to - from, box.height()), ground);
    painter.setFont(text_font(11, true));
    const QString words = tr("optimum band");
    const double wide = painter.fontMetrics().horizontalAdvance(words);
    const double x = std::clamp((from + to - wide) / 2, box.left(), box.right() - wide);
    painter.setPen(qcolor(theme.accent));
    painter.drawText(QRectF(x, box.top() + 1, wide + 2, 14), Qt::AlignCenter, words);
}

void TuningChart::paintCpu(QPainter& painter) const {
    const scene::Theme& theme = current_theme();
    const QRectF box = frame();
    painter.setFont(text_font(11));
    double taken = -1e9;
    for (const auto& [line, ink, words] :
         {std::tuple{shown_->curve.serial, theme.serial, tr("CPU serial: %1")},
          {shown_->curve.cpu, theme.cpu_native, tr("CPU at its best: %1")}}) {
        if (!line.there) continue;
        const double y = y_of(line.time);
        painter.setPen(QPen(qcolor(ink), 1.6));
        painter.drawLine(QPointF(box.left(), y), QPointF(box.right(), y));
        const QString text = words.arg(shown_->scale.withUnit(line.time));
        const double wide = painter.fontMetrics().horizontalAdvance(text);
        // Over its line; under it where the other one's words are.
        double top = y - 17;
        if (std::abs(top - taken) < 16 || top < box.top()) top = y + 3;
        taken = top;
        const QRectF place(box.right() - wide - 8, top, wide + 6, 15);
        painter.fillRect(place, qcolor(theme.canvas));
        painter.setPen(qcolor(ink));
        painter.drawText(place, Qt::AlignCenter, text);
    }
}

void TuningChart::paintCurve(QPainter& painter) const {
    const scene::Theme& theme = current_theme();
    const QColor ink = qcolor(colour());
    const auto& points = shown_->curve.points;
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t i = 1; i < points.size(); ++i) {
        QPen pen(ink, 2);
        if (points[i].predicted || points[i - 1].predicted) pen.setDashPattern({3, 2.5});
        painter.setPen(pen);
        painter.drawLine(placeOf(i - 1), placeOf(i));
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
        const QPointF at = placeOf(i);
        if (points[i].interval) {
            painter.setPen(QPen(ink, 1.4));
            painter.drawLine(QPointF(at.x(), y_of(points[i].interval->low)),
                             QPointF(at.x(), y_of(points[i].interval->high)));
        }
        if (shown_->at == points[i].batch_max) {
            painter.setPen(QPen(qcolor(hasFocus() ? theme.accent : theme.pick), 2));
            painter.setBrush(qcolor(theme.canvas));
            painter.drawPolygon(diamond(at, radius + 4));
        }
        painter.setPen(QPen(ink, 1.6));
        painter.setBrush(points[i].predicted ? qcolor(theme.canvas) : ink);
        painter.drawPolygon(diamond(at, radius));
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void TuningChart::paintCrossing(QPainter& painter) const {
    const QString words = crossing_words(shown_->curve, shown_->name);
    if (words.isEmpty()) return;
    const scene::Theme& theme = current_theme();
    const QRectF box = frame();
    painter.setFont(text_font(11, true));
    const double wide = painter.fontMetrics().horizontalAdvance(words);
    QPointF at(box.left() + 16, box.bottom() - 8);
    if (shown_->curve.crossing == Curve::Crossing::at ||
        shown_->curve.crossing == Curve::Crossing::until) {
        double time = shown_->curve.serial.time;
        if (shown_->curve.cpu.there &&
            (!shown_->curve.serial.there || shown_->curve.cpu.time < time))
            time = shown_->curve.cpu.time;
        const QPointF ring(x_of(shown_->curve.crossover), y_of(time));
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(qcolor(theme.pick), 1.6));
        painter.setBrush(qcolor(theme.canvas));
        painter.drawEllipse(ring, 5, 5);
        painter.setRenderHint(QPainter::Antialiasing, false);
        at = ring + QPointF(12, 8);
        if (at.y() + 18 > box.bottom()) at.setY(ring.y() - 30);
    } else {
        at.setY(box.bottom() - 20);
    }
    const double x = std::max(box.left(), std::min(at.x(), box.right() - wide - 8));
    const QRectF place(x, at.y(), std::min(wide + 8, box.width()), 16);
    painter.fillRect(place, qcolor(theme.canvas));
    painter.setPen(qcolor(theme.text));
    painter.drawText(
        place, Qt::AlignCenter,
        painter.fontMetrics().elidedText(words, Qt::ElideRight, static_cast<int>(place.width())));
}

void TuningChart::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), qcolor(current_theme().canvas));
    if (!shown_ || shown_->curve.points.empty()) return;
    paintBand(painter);
    paintAxes(painter);
    paintCpu(painter);
    paintCurve(painter);
    paintCrossing(painter);
}

void TuningChart::mousePressEvent(QMouseEvent* event) {
    if (!shown_ || event->button() != Qt::LeftButton) return QWidget::mousePressEvent(event);
    for (std::size_t i = 0; i < shown_->curve.points.size(); ++i)
        if (QLineF(placeOf(i), event->position()).length() < 12) {
            Q_EMIT chosen(shown_->curve.points[i].point);
            return;
        }
}

/// Left and right walk the sizes.
void TuningChart::keyPressEvent(QKeyEvent* event) {
    const int key = event->key();
    if (!shown_ || shown_->curve.points.empty() || (key != Qt::Key_Left && key != Qt::Key_Right))
        return QWidget::keyPressEvent(event);
    const auto& points = shown_->curve.points;
    auto at = std::find_if(points.begin(), points.end(),
                           [&](const auto& p) { return shown_->at == p.batch_max; });
    if (at == points.end()) {
        at = points.begin();
    } else if (key == Qt::Key_Right && at + 1 != points.end()) {
        ++at;
    } else if (key == Qt::Key_Left && at != points.begin()) {
        --at;
    }
    const QString words = about(*at);
    const QPointF place = placeOf(static_cast<std::size_t>(at - points.begin()));
    QToolTip::showText(mapToGlobal(place.toPoint() + QPoint(8, 12)), words, this);
    Q_EMIT chosen(at->point);
    setAccessibleDescription(words);
}

bool TuningChart::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && shown_) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::hideText();
        for (std::size_t i = 0; i < shown_->curve.points.size(); ++i)
            if (QLineF(placeOf(i), help->pos()).length() < 12)
                QToolTip::showText(help->globalPos(), about(shown_->curve.points[i]), this);
        return true;
    }
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) update();
    return QWidget::event(event);
}

} // namespace blockloom::ui
