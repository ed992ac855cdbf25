// An arrow between two positions in a picture.
#pragma once

#include "scene/display_list.h"

namespace blockloom::scene {

/// The head is at `to`; an arrow shorter than two pixels is not drawn. Pixels, in screen space.
void add_arrow(Layer& layer, Point from, Point to, Colour colour, bool dashed);

} // namespace blockloom::scene
