#include "docks/schedule/schedule_minimap.h"

#include "docks/schedule/schedule_axes.h"
#include "look/theme_style.h"
#include "text/numbers.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace blockloom::ui {
namespace {

constexpr std::size_t minimap_parts = 400;

} // namespace

std::vector<float> busy_shares(const schedule::Schedule& schedule, std::size_t count) {
    std::vector<double> busy(count, 0);
    if (schedule.makespan == 0 || schedule.workers == 0 || count == 0)
        return std::vector<float>(count, 0);
    const double part = static_cast<double>(schedule.makespan) / static_cast<double>(count);
    for (const schedule::Slot& slot : schedule.slots) {
        const double start = static_cast<double>(slot.start) / part;
        const double end = static_cast<double>(slot.end) / part;
        for (auto i = static_cast<std::size_t>(start); i < count && static_cast<double>(i) < end;
             ++i) {
            const double from = std::max(start, static_cast<double>(i));
            const double to = std::min(end, static_cast<double>(i + 1));
            busy[i] += std::max(0.0, to - from);
        }
    }
    std::vector<float> shares(count);
    for (std::size_t i = 0; i < count; ++i)
        shares[i] = static_cast<float>(std::min(1.0, busy[i] / schedule.workers));
    return shares;
}

ScheduleMinimap::ScheduleMinimap(QWidget* parent) : QWidget(parent) {
    setFixedHeight(26);
    setFocusPolicy(Qt::StrongFocus);
    setFont(text_font(11));
    setAccessibleName(tr("Whole run"));
    setToolTip(tr("The whole run: busy workers over time. Drag to move the visible part."));
}

void ScheduleMinimap::setSchedule(std::shared_ptr<const schedule::Schedule> schedule) {
    busy_ = schedule ? busy_shares(*schedule, minimap_parts) : std::vector<float>();
    update();
}

void ScheduleMinimap::setWindow(double from, double to) {
    from = std::clamp(from, 0.0, 1.0);
    to = std::clamp(to, from, 1.0);
    if (from == from_ && to == to_) return;
    from_ = from;
    to_ = to;
    setAccessibleDescription(
        tr("Shows %1 to %2 of the run").arg(percent_text(from_), percent_text(to_)));
    update();
}

QRectF ScheduleMinimap::strip() const {
    return QRectF(gantt_left, 4, std::max(1, width() - gantt_left - gantt_right), height() - 8);
}

void ScheduleMinimap::moveTo(double middle) {
    const double half = (to_ - from_) / 2;
    middle = std::clamp(middle, half, 1 - half);
    Q_EMIT windowAsked(middle - half, middle + half);
}

void ScheduleMinimap::mousePressEvent(QMouseEvent* event) {
    const QRectF area = strip();
    const double at = (event->position().x() - area.left()) / area.width();
    // A drag inside the visible part moves it; outside, the part jumps to the pointer.
    if (at < from_ || at > to_) moveTo(at);
    grip_ = at - (from_ + to_) / 2;
}

void ScheduleMinimap::mouseMoveEvent(QMouseEvent* event) {
    if (!event->buttons().testFlag(Qt::LeftButton)) return;
    const QRectF area = strip();
    moveTo((event->position().x() - area.left()) / area.width() - grip_);
}

void ScheduleMinimap::keyPressEvent(QKeyEvent* event) {
    const double step = (to_ - from_) / 10;
    if (event->key() == Qt::Key_Left) return moveTo((from_ + to_) / 2 - step);
    if (event->key() == Qt::Key_Right) return moveTo((from_ + to_) / 2 + step);
    QWidget::keyPressEvent(event);
}

void ScheduleMinimap::paintEvent(QPaintEvent*) {
    const scene::Theme& theme = current_theme();
    QPainter painter(this);
    painter.fillRect(rect(), qcolor(theme.canvas));
    const QRectF area = strip();
    painter.setPen(qcolor(theme.text2));
    painter.drawText(QRectF(0, 0, gantt_left - 8, height()), Qt::AlignRight | Qt::AlignVCenter,
                     tr("whole run"));
    painter.fillRect(area, qcolor(theme.panel));
    const double wide = area.width() / static_cast<double>(std::max<std::size_t>(1, busy_.size()));
    for (std::size_t i = 0; i < busy_.size(); ++i) {
        const double tall = static_cast<double>(busy_[i]) * (area.height() - 2);
        painter.fillRect(QRectF(area.left() + static_cast<double>(i) * wide, area.bottom() - tall,
                                wide + 0.5, tall),
                         qcolor(theme.control_border));
    }
    const QRectF window(area.left() + from_ * area.width(), area.top(),
                        (to_ - from_) * area.width(), area.height());
    painter.fillRect(window, qcolor(scene::with_alpha(theme.accent, 40)));
    painter.setPen(QPen(qcolor(theme.accent), 1));
    painter.drawRect(window.adjusted(0.5, 0.5, -0.5, -0.5));
}

} // namespace blockloom::ui
