// Waiting for a window on the screen, without a limit; keys for a window that has the keyboard.
#pragma once

#include "headers/waiting.h"

#include <QTest>
#include <QWidget>
#include <QWindow>

namespace blockloom::test {

/// Until the window that holds the widget is drawn on the screen.
inline void wait_until_exposed(const QWidget* widget) {
    WAIT_UNTIL(widget->window()->windowHandle() && widget->window()->windowHandle()->isExposed());
}

/// Until the window that holds the widget has the keyboard. Asks for it: on a display without a
/// window manager nobody gives the focus to a new window.
inline void wait_until_active(const QWidget* widget) {
    wait_until_exposed(widget);
    QWindow* window = widget->window()->windowHandle();
    if (!window->isActive()) window->requestActivate();
    WAIT_UNTIL(widget->window()->windowHandle() && widget->window()->windowHandle()->isActive());
}

/// Presses a shortcut. Qt runs those of the active window only, and a window manager gives a new
/// window the keyboard when it likes, as it does after a dialog.
inline void press(QWidget* widget, Qt::Key key, Qt::KeyboardModifiers modifiers) {
    wait_until_active(widget);
    QTest::keyClick(widget, key, modifiers);
}

} // namespace blockloom::test
