// Overlay input of a request that is replaced before it is drawn.
#pragma once

#include "scene/renderer.h"

namespace blockloom::scene {

/// Moves the input of `older`, which will not be drawn, to `newer`: no press, wheel step or text is
/// lost.
void merge_overlay_input(const FrameRequest& older, FrameRequest& newer);

} // namespace blockloom::scene
