// Our own icons: SVGs in which `currentColor` and roles (`@name`) follow the theme at every paint.
#pragma once

#include <QIcon>
#include <QPixmap>

#include "scene/colour.h"

namespace blockloom::ui {

/// resources/icons/NAME.svg as an icon: text 2, text when active or on, text 3 when disabled.
[[nodiscard]] QIcon icon(const char* name);
/// The same in one colour, for status icons beside a text.
[[nodiscard]] QPixmap icon_pixmap(const char* name, scene::Colour colour, int pixels = 16,
                                  double ratio = 1.0);
/// The product's logo, `height` logical pixels high.
[[nodiscard]] QPixmap logo(int height, double ratio);

} // namespace blockloom::ui
