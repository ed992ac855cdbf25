// Where the window opens: as large as it was, and never beyond the screen.
#pragma once

#include <QByteArray>
#include <QRect>

class QWidget;

namespace blockloom::ui {

/// `wanted`, made no larger than `available` less the window manager's frame, and moved inside it.
[[nodiscard]] QRect placed_inside(QRect wanted, QRect available);

/// Before the window is shown first: the saved geometry (of QWidget::saveGeometry), else a usual
/// size in the middle of the screen.
void place_window(QWidget& window, const QByteArray& saved);

} // namespace blockloom::ui
