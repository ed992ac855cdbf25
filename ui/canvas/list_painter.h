// Paints a display list whose coordinates are the widget's pixels, with QPainter: what is drawn
// anew at each move, in this thread.
#pragma once

#include "scene/display_list.h"

class QPainter;

namespace blockloom::ui {

/// Layer by layer: lines, square boxes, texts. Edges lie on whole pixels, a box is at least one
/// wide and high; no camera, no marks, nothing dashed.
void paint_list(QPainter& painter, const scene::DisplayList& list);

} // namespace blockloom::ui
