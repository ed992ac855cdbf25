#include "look/elided_label.h"

#include <QPainter>
#include <QStyle>

namespace blockloom::ui {

QSize ElidedLabel::minimumSizeHint() const {
    return {0, QLabel::minimumSizeHint().height()};
}

QString ElidedLabel::shownText() const {
    const QFontMetrics metrics = fontMetrics();
    const int room = contentsRect().width();
    // An ellipsis alone, or after one letter, is useless.
    if (room < metrics.horizontalAdvance(QStringLiteral("MMM…"))) {
        if (metrics.horizontalAdvance(text()) > room) return {};
    }
    return metrics.elidedText(text(), Qt::ElideRight, room);
}

void ElidedLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    style()->drawItemText(&painter, contentsRect(), static_cast<int>(alignment()), palette(),
                          isEnabled(), shownText(), foregroundRole());
}

void ElidedLabel::resizeEvent(QResizeEvent* event) {
    QLabel::resizeEvent(event);
    update();
}

} // namespace blockloom::ui
