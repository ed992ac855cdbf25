// The application puts on a theme.
#pragma once

#include "scene/theme.h"

class QApplication;

namespace blockloom::ui {

/// Fusion with the focus ring, palette, style sheet and fonts. Once at start, and at every change
/// of theme.
void apply_theme(QApplication& app, const scene::Theme& theme);

} // namespace blockloom::ui
