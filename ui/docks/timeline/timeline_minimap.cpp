#include "docks/timeline/timeline_minimap.h"

#include "look/theme_style.h"
#include "report/timeline_layout.h"
#include "text/numbers.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace blockloom::ui {

TimelineMinimap::TimelineMinimap(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("timelineMinimap"));
    setFixedHeight(40);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Whole run"));
    setToolTip(tr("The whole run: how busy the host (grey) and the device (colour) were over time. "
                  "Drag to move the visible part."));
}

void TimelineMinimap::setShares(std::vector<float> host, std::vector<float> device,
                                const QString& words) {
    host_ = std::move(host);
    device_ = std::move(device);
    words_ = words;
    update();
}

void TimelineMinimap::setDeviceColour(scene::Colour colour) {
    device_colour_ = colour;
    update();
}

void TimelineMinimap::setWindow(double from, double to) {
    from_ = std::clamp(from, 0.0, 1.0);
    to_ = std::clamp(to, from_, 1.0);
    setAccessibleDescription(
        tr("Shows %1 to %2 of the run").arg(percent_text(from_), percent_text(to_)));
    update();
}

QRectF TimelineMinimap::strip() const {
    const auto left = static_cast<double>(report::timeline_gutter);
    const auto right = static_cast<double>(report::timeline_right);
    return QRectF(left, 5, std::max(1.0, width() - left - right), height() - 10);
}

void TimelineMinimap::moveTo(double middle) {
    const double half = (to_ - from_) / 2;
    middle = std::clamp(middle, half, 1 - half);
    Q_EMIT windowAsked(middle - half, middle + half);
}

void TimelineMinimap::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    const QRectF area = strip();
    const double at = (event->position().x() - area.left()) / area.width();
    if (at < from_ || at > to_) moveTo(at);
    grip_ = at - (from_ + to_) / 2;
}

void TimelineMinimap::mouseMoveEvent(QMouseEvent* event) {
    if (!event->buttons().testFlag(Qt::LeftButton)) return;
    const QRectF area = strip();
    moveTo((event->position().x() - area.left()) / area.width() - grip_);
}

void TimelineMinimap::keyPressEvent(QKeyEvent* event) {
    const double step = (to_ - from_) / 10;
    if (event->key() == Qt::Key_Left) return moveTo((from_ + to_) / 2 - step);
    if (event->key() == Qt::Key_Right) return moveTo((from_ + to_) / 2 + step);
    QWidget::keyPressEvent(event);
}

void TimelineMinimap::paintEvent(QPaintEvent*) {
    const scene::Theme& theme = current_theme();
    QPainter painter(this);
    painter.fillRect(rect(), qcolor(theme.canvas));
    const QRectF area = strip();
    painter.setFont(text_font(11));
    painter.setPen(qcolor(theme.text2));
    painter.drawText(QRectF(24, 0, area.left() - 34, height()), Qt::AlignLeft | Qt::AlignVCenter,
                     words_);
    painter.fillRect(area, qcolor(theme.panel));
    const auto bars = [&](const std::vector<float>& shares, scene::Colour colour) {
        const double wide =
            area.width() / static_cast<double>(std::max<std::size_t>(1, shares.size()));
        for (std::size_t i = 0; i < shares.size(); ++i) {
            const double tall = static_cast<double>(shares[i]) * (area.height() - 2);
            if (tall < 0.5) continue;
            painter.fillRect(QRectF(area.left() + static_cast<double>(i) * wide,
                                    area.bottom() - tall, wide + 0.5, tall),
                             qcolor(colour));
        }
    };
    bars(host_, theme.control_border);
    bars(device_, device_colour_);
    QRectF window(area.left() + from_ * area.width(), area.top(), (to_ - from_) * area.width(),
                  area.height());
    if (window.width() < 3) window.setWidth(3);
    painter.fillRect(window, qcolor(scene::with_alpha(theme.accent, 50)));
    painter.setPen(QPen(qcolor(theme.accent), hasFocus() ? 2 : 1));
    painter.drawRect(window.adjusted(0.5, 0.5, -0.5, -0.5));
}

void TimelineMinimap::focusInEvent(QFocusEvent*) {
    update();
}

void TimelineMinimap::focusOutEvent(QFocusEvent*) {
    update();
}

} // namespace blockloom::ui
