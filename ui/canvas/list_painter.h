// Paints a display list whose coordinates are a widget's pixels: what is drawn anew at each move,
// in this thread.
#pragma once

#include "scene/display_list.h"

class QImage;

namespace blockloom::ui {

/// Layer by layer: lines, square boxes, texts. Edges lie on whole pixels, a box is at least one
/// wide and high; no camera, no marks, nothing dashed. `image`: of Format_RGB32.
void paint_list(QImage& image, const scene::DisplayList& list);

} // namespace blockloom::ui
