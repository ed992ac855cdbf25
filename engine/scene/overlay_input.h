// What happens to overlay input when a request is replaced before it is drawn.
#pragma once

#include "scene/renderer.h"

namespace blockloom::scene {

/// Carries the input of `older`, which will not be drawn, over to `newer`: presses, wheel and text
/// are not lost.
void merge_overlay_input(const FrameRequest& older, FrameRequest& newer);

} // namespace blockloom::scene
