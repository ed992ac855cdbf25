// What a widget paints, as an SVG drawing.
#pragma once

#include "base/result.h"

class QString;
class QWidget;

namespace blockloom::ui {

/// Lines stay lines and text stays text. The file is written completely or not at all. Error: the
/// file cannot be written, or the widget has no size.
Status write_svg(QWidget& widget, const QString& title, const QString& path);

} // namespace blockloom::ui
