// The renderer's head-up display, drawn into a view's image: frame times, draw calls, memory,
// camera, and switches of what is drawn. Plain data in, changes out.
#pragma once

#include "scene/colour.h"

#include <cstdint>
#include <string>
#include <vector>

namespace blockloom::scene {

struct OverlayToggle {
    std::string id, label;
    bool on = false;
    friend bool operator==(const OverlayToggle&, const OverlayToggle&) = default;
};

struct OverlayLegend {
    /// As on the canvas: a line may be dashed; `mark` is a node, `selected` its outline when
    /// picked; `filled`, `hollow` (predicted) and `hatched` are bars.
    enum class Sign : std::uint8_t {
        ramp,
        line,
        dashed_line,
        mark,
        selected,
        diamond,
        triangle,
        cross,
        filled,
        hollow,
        hatched
    } sign = Sign::mark;
    Colour colour;
    std::string label;
    std::string first, last; ///< ramp: its end labels
    friend bool operator==(const OverlayLegend&, const OverlayLegend&) = default;
};

/// What the display shows beside what the renderer knows itself (scene/hud.h).
struct OverlayPanel {
    std::string title;
    std::vector<OverlayToggle> toggles;
    bool collapsed = false;
    friend bool operator==(const OverlayPanel&, const OverlayPanel&) = default;
};

/// Pointer and keys since the last frame, logical pixels. A press and release between two frames is
/// kept (`pressed`).
struct OverlayInput {
    float mouse_x = -1, mouse_y = -1, wheel = 0;
    bool down = false, pressed = false;
    float press_x = -1, press_y = -1; ///< where the button was pressed; negative: at the pointer
    std::string text;
    friend bool operator==(const OverlayInput&, const OverlayInput&) = default;
};

struct OverlayFrame {
    OverlayPanel panel;
    OverlayInput input;
    bool dark = true;
    friend bool operator==(const OverlayFrame&, const OverlayFrame&) = default;
};

/// One thing the user changed: the id of a toggle, or "collapsed"; 0 or 1.
struct OverlayChange {
    std::string id;
    int value = 0;
};

} // namespace blockloom::scene
