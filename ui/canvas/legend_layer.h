// The legend as part of a picture: exports carry it below the view.
#pragma once

#include "canvas/legend_strip.h"
#include "scene/theme.h"

#include <QSize>

namespace blockloom::ui {

/// Coverage and items in rows under a picture of `size` logical pixels; `height` receives the
/// pixels that it needs below.
[[nodiscard]] scene::Layer legend_layer(const LegendStrip& legend, const scene::Theme& theme,
                                        QSize size, int& height);

} // namespace blockloom::ui
