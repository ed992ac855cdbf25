// Applies a theme to the application.
#pragma once

#include "scene/theme.h"

class QApplication;

namespace blockloom::ui {

/// Style and fonts, which do not depend on the theme. Call before the first widget: Qt 6.4 does not
/// pass a later change of the application's font to existing widgets. Further calls do nothing.
void start_look(QApplication& app);

/// start_look(), then the theme's palette and style sheet. Call at every change of theme.
void apply_theme(QApplication& app, const scene::Theme& theme);

} // namespace blockloom::ui
