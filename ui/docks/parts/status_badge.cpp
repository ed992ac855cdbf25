#include "docks/parts/status_badge.h"

#include "look/icons.h"
#include "look/theme_style.h"

#include <QPainter>

namespace blockloom::ui {

StatusBadge::StatusBadge(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setFont(text_font(12, true));
}

void StatusBadge::setStatus(Mark mark, const QString& text) {
    if (mark == mark_ && text == text_) return;
    mark_ = mark;
    text_ = text;
    setAccessibleName(text);
    updateGeometry();
    update();
}

QSize StatusBadge::sizeHint() const {
    return {8 + 16 + 5 + fontMetrics().horizontalAdvance(text_) + 10, 22};
}

void StatusBadge::paintEvent(QPaintEvent*) {
    const scene::Theme& theme = current_theme();
    const bool unknown = mark_ == Mark::unknown || mark_ == Mark::none;
    const scene::Colour colour = mark_ == Mark::ok        ? theme.ok
                                 : mark_ == Mark::warning ? theme.warning
                                 : unknown                ? theme.text3
                                                          : theme.error;
    const char* sign = mark_ == Mark::ok        ? "check"
                       : mark_ == Mark::warning ? "warning"
                       : unknown                ? "ring"
                                                : "error";
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(qcolor(colour));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    painter.drawPixmap(8, (height() - 16) / 2, icon_pixmap(sign, colour, 16, devicePixelRatioF()));
    painter.drawText(rect().adjusted(29, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, text_);
}

} // namespace blockloom::ui
