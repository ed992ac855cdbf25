// The application puts on a theme.
#pragma once

#include "scene/theme.h"

class QApplication;

namespace blockloom::ui {

/// Style and fonts, which need no theme. Before the first widget: Qt 6.4 does not pass a later
/// change of the application's font on to the widgets that exist already. Once; more calls do
/// nothing.
void start_look(QApplication& app);

/// start_look(), then palette and style sheet of the theme. At every change of theme.
void apply_theme(QApplication& app, const scene::Theme& theme);

} // namespace blockloom::ui
