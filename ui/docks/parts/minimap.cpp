#include "docks/parts/minimap.h"

#include "look/theme_style.h"
#include "text/numbers.h"

#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <utility>

namespace blockloom::ui {

Minimap::Minimap(const scene::Minimap& look, int height, QWidget* parent)
    : ListCanvas(parent), shown_(look) {
    setFixedHeight(height);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Whole run"));
}

void Minimap::setBars(std::vector<scene::MinimapBars> bars) {
    if (bars == shown_.bars) return;
    shown_.bars = std::move(bars);
    remake();
}

void Minimap::setWords(const QString& words) {
    shown_.words = words.toStdString();
    remake();
}

void Minimap::setWindow(double from, double to) {
    from = std::clamp(from, 0.0, 1.0);
    to = std::clamp(to, from, 1.0);
    setAccessibleDescription(
        tr("Shows %1 to %2 of the run").arg(percent_text(from), percent_text(to)));
    if (from == shown_.from && to == shown_.to) return;
    shown_.from = from;
    shown_.to = to;
    remake();
}

scene::DisplayList Minimap::makeList(QSize size) const {
    scene::Minimap minimap = shown_;
    minimap.focused = hasFocus();
    return scene::make_minimap(minimap, static_cast<float>(size.width()),
                               static_cast<float>(size.height()), current_theme());
}

double Minimap::shareAt(double x) const {
    const scene::Rect strip =
        scene::minimap_strip(shown_, static_cast<float>(width()), static_cast<float>(height()));
    return (x - static_cast<double>(strip.x)) / static_cast<double>(strip.width);
}

void Minimap::moveTo(double middle) {
    const double half = (to() - from()) / 2;
    middle = std::clamp(middle, half, 1 - half);
    Q_EMIT windowAsked(middle - half, middle + half);
}

void Minimap::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    // Inside the visible part the drag starts where it is; outside, the part jumps to the pointer.
    const double at = shareAt(event->position().x());
    if (at < from() || at > to()) moveTo(at);
    grip_ = at - (from() + to()) / 2;
}

void Minimap::mouseMoveEvent(QMouseEvent* event) {
    if (!event->buttons().testFlag(Qt::LeftButton)) return;
    moveTo(shareAt(event->position().x()) - grip_);
}

void Minimap::keyPressEvent(QKeyEvent* event) {
    const double step = (to() - from()) / 10;
    if (event->key() == Qt::Key_Left) return moveTo((from() + to()) / 2 - step);
    if (event->key() == Qt::Key_Right) return moveTo((from() + to()) / 2 + step);
    ListCanvas::keyPressEvent(event);
}

} // namespace blockloom::ui
