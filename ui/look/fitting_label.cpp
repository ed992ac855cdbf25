#include "look/fitting_label.h"

#include <QPainter>

namespace blockloom::ui {

FittingLabel::FittingLabel(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
}

void FittingLabel::setAlignment(Qt::Alignment horizontal) {
    horizontal_ = horizontal;
    update();
}

void FittingLabel::setTexts(const QStringList& longestFirst) {
    texts_ = longestFirst;
    setToolTip(fullText());
    setAccessibleDescription(fullText());
    updateGeometry();
    update();
}

QString FittingLabel::fullText() const {
    return texts_.value(0);
}

QString FittingLabel::shownText() const {
    for (const QString& text : texts_)
        if (fontMetrics().horizontalAdvance(text) <= width()) return text;
    return {};
}

// The shortest informative form: the bar reserves room for it, the layout adds what is left.
QSize FittingLabel::sizeHint() const {
    int least = 0;
    for (const QString& text : texts_)
        if (!text.isEmpty()) least = fontMetrics().horizontalAdvance(text) + 2;
    return {least, 20};
}

void FittingLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(rect(), horizontal_ | Qt::AlignVCenter, shownText());
}

} // namespace blockloom::ui
