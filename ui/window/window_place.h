// Where the window opens: as large as last time, and never beyond the screen.
#pragma once

#include <QByteArray>
#include <QRect>
#include <QSize>

class QWidget;

namespace blockloom::ui {

/// `wanted`, limited to the size of `available` minus the window manager's frame, and moved inside
/// it.
[[nodiscard]] QRect placed_inside(QRect wanted, QRect available);

/// Call before the window is first shown: applies the saved geometry (of QWidget::saveGeometry),
/// else a default size in the middle of the screen.
void place_window(QWidget& window, const QByteArray& saved);

/// The same for a size that was asked for, even one beyond the screen: in its middle if it fits,
/// and with the title bar on it if not.
void place_window(QWidget& window, QSize size);

} // namespace blockloom::ui
