// The Dear ImGui panel drawn into a view's image: options, legend and frame time. Plain data in,
// changes out; Qt controls offer the same, because screen readers cannot see the panel.
#pragma once

#include "base/clock.h"
#include "scene/colour.h"

#include <cstdint>
#include <string>
#include <vector>

namespace blockloom::scene {

struct OverlayChoice {
    std::string id, label;
    std::vector<std::string> options;
    int current = 0;
    friend bool operator==(const OverlayChoice&, const OverlayChoice&) = default;
};

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

/// The content of the panel.
struct OverlayPanel {
    std::string title;
    std::vector<OverlayChoice> choices;
    std::vector<OverlayToggle> toggles;
    std::vector<OverlayLegend> legend;
    std::string coverage; ///< "Drawing 922 of 1,113 edges"
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
    Nanoseconds last_frame_ns = 0; ///< shown as frame time
    bool dark = true;
    friend bool operator==(const OverlayFrame&, const OverlayFrame&) = default;
};

/// One thing the user changed: the id of a choice (value: option's index) or a toggle (0 or 1), or
/// "collapsed".
struct OverlayChange {
    std::string id;
    int value = 0;
};

} // namespace blockloom::scene
