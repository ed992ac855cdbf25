#include "look/hover_keys.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTextEdit>
#include <QWidget>

namespace blockloom::ui {
namespace {

bool is_hover_key(const QKeyEvent& event) {
    if (event.modifiers() != Qt::NoModifier) return false;
    switch (event.key()) {
    case Qt::Key_W:
    case Qt::Key_A:
    case Qt::Key_S:
    case Qt::Key_D:
    case Qt::Key_F:
        return true;
    default:
        return false;
    }
}

bool takes_text(const QWidget* widget) {
    if (const auto* combo = qobject_cast<const QComboBox*>(widget)) return combo->isEditable();
    if (const auto* text = qobject_cast<const QTextEdit*>(widget)) return !text->isReadOnly();
    if (const auto* text = qobject_cast<const QPlainTextEdit*>(widget)) return !text->isReadOnly();
    return qobject_cast<const QLineEdit*>(widget) != nullptr ||
           qobject_cast<const QAbstractSpinBox*>(widget) != nullptr;
}

} // namespace

HoverKeys::HoverKeys(QWidget* canvas) : QObject(canvas), canvas_(canvas) {
    qApp->installEventFilter(this);
}

void HoverKeys::give(QWidget* canvas) {
    canvas->setFocusPolicy(Qt::WheelFocus);
    new HoverKeys(canvas);
}

bool HoverKeys::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress || watched == canvas_ || !watched->isWidgetType())
        return false;
    if (!is_hover_key(*static_cast<QKeyEvent*>(event)) || !canvas_->underMouse() ||
        !canvas_->isVisible() || QApplication::activePopupWidget() != nullptr ||
        QApplication::activeModalWidget() != nullptr || takes_text(QApplication::focusWidget()) ||
        takes_text(static_cast<QWidget*>(watched))) // also in a window that is not active yet
        return false;
    canvas_->setFocus(Qt::MouseFocusReason);
    QApplication::sendEvent(canvas_, event);
    return true;
}

} // namespace blockloom::ui
