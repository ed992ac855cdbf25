// The theme as Qt needs it: palette, style sheet, colours and fonts.
#pragma once

#include "scene/theme.h"

#include <QColor>
#include <QFont>
#include <QPalette>
#include <QString>

class QWidget;

namespace blockloom::ui {

/// What the user chose; `system` follows the desktop.
enum class ThemeChoice { system, dark, light };

[[nodiscard]] QString name_of(ThemeChoice choice);                 ///< "system", "dark", "light"
[[nodiscard]] ThemeChoice theme_choice_named(const QString& name); ///< anything else: system

/// The application's current theme (read from its palette, so that it is stored only once).
/// Painting code reads it each time; a widget is notified of a change by
/// changeEvent(PaletteChange).
[[nodiscard]] const scene::Theme& current_theme();

[[nodiscard]] inline QColor qcolor(scene::Colour c) {
    return QColor(c.r, c.g, c.b, c.a);
}
[[nodiscard]] QPalette palette_of(const scene::Theme& theme);

/// resources/style.qss with its roles replaced by the theme's colours.
[[nodiscard]] QString style_sheet_of(const scene::Theme& theme);
/// A text with roles (`@name`, `@ramp0`) replaced by colours as "#rrggbb".
[[nodiscard]] QString with_roles(QString text, const scene::Theme& theme);

/// The text font at a size in pixels, with tabular figures.
[[nodiscard]] QFont text_font(int pixels = 12, bool medium = false);
/// The font of hashes, keys and bytes.
[[nodiscard]] QFont mono_font(int pixels = 11);

/// Gives a label a role of the style sheet ("caption", "heading", "title", …).
void set_role(QWidget* widget, const char* role);

} // namespace blockloom::ui
