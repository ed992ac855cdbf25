// An arrow between two places of a picture.
#pragma once

#include "scene/display_list.h"

namespace blockloom::scene {

/// Its head is at `to`; one shorter than two pixels is not drawn. Pixels, in screen space.
void add_arrow(Layer& layer, Point from, Point to, Colour colour, bool dashed);

} // namespace blockloom::scene
