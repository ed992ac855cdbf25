// Paints a display list whose coordinates are a widget's pixels, on the calling thread: for what is
// redrawn at each move.
#pragma once

#include "scene/display_list.h"

class QImage;
class QPainter;

namespace blockloom::ui {

/// Layer by layer: lines, square boxes, texts. Edges lie on whole pixels; a box is at least one
/// pixel wide and high; no camera, no marks, no dashes. `image` must be Format_RGB32.
void paint_list(QImage& image, const scene::DisplayList& list);

/// A layer in screen space with everything it may have, on whatever the painter is for.
void paint_layer(QPainter& painter, const scene::Layer& layer);

} // namespace blockloom::ui
