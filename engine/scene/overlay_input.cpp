#include "scene/overlay_input.h"

namespace blockloom::scene {

void merge_overlay_input(const FrameRequest& older, FrameRequest& newer) {
    if (!older.overlay || !newer.overlay) return;
    const OverlayInput& before = older.overlay->input;
    OverlayInput& after = newer.overlay->input;
    if (before.pressed && !after.pressed) {
        after.pressed = true;
        after.press_x = before.press_x >= 0 ? before.press_x : before.mouse_x;
        after.press_y = before.press_y >= 0 ? before.press_y : before.mouse_y;
    }
    after.wheel += before.wheel;
    after.text = before.text + after.text;
}

} // namespace blockloom::scene
