#include "window/window_place.h"

#include <QGuiApplication>
#include <QScreen>
#include <QWidget>

#include <algorithm>

namespace blockloom::ui {
namespace {

constexpr QSize usual{1440, 900};
/// Of the frame, which is not known before the window is shown: title above, edges beside it.
constexpr int frame_title = 32, frame_edge = 4;

} // namespace

QRect placed_inside(QRect wanted, QRect available) {
    const QRect room = available.adjusted(frame_edge, frame_title, -frame_edge, -frame_edge);
    const QSize size = wanted.size().boundedTo(room.size());
    const int x = std::clamp(wanted.x(), room.x(), room.right() - size.width() + 1);
    const int y = std::clamp(wanted.y(), room.y(), room.bottom() - size.height() + 1);
    return {QPoint(x, y), size};
}

void place_window(QWidget& window, const QByteArray& saved) {
    const QScreen* screen = window.screen();
    const bool restored = !saved.isEmpty() && window.restoreGeometry(saved);
    if (window.isMaximized() || window.isFullScreen() || screen == nullptr) return;
    const QRect available = screen->availableGeometry();
    QRect wanted(QPoint(), usual);
    wanted.moveCenter(available.center());
    if (restored) wanted = window.geometry();
    window.setGeometry(placed_inside(wanted, available));
}

void place_window(QWidget& window, QSize size) {
    QRect wanted(window.pos(), size);
    if (const QScreen* const screen = window.screen()) {
        const QRect available = screen->availableGeometry();
        wanted.moveCenter(available.center());
        wanted.moveTopLeft({std::max(wanted.x(), available.x() + frame_edge),
                            std::max(wanted.y(), available.y() + frame_title)});
    }
    window.setGeometry(wanted);
}

} // namespace blockloom::ui
