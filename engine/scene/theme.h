// The colours of the program: every colour drawn anywhere is defined here
// (docs/architecture.md#the-look).
#pragma once

#include "scene/colour.h"

#include <array>
#include <cstddef>

namespace blockloom::scene {

/// Colour roles of one theme. `dark()` and `light()` are the two; a test checks their contrasts.
struct Theme {
    bool is_dark = true;
    Colour window, panel, canvas, raised, field;
    Colour line, grid, control_border;
    Colour text, text2, text3;
    Colour accent, button_fill, button_text, selected_row;
    Colour pick;     ///< selected task; always with a 2 px halo of canvas colour
    Colour critical; ///< critical path only
    Colour ok, warning, error;
    Colour serial, cpu_interpreter, cpu_native, vulkan, cuda;
    std::array<Colour, 8> ramp; ///< ordinal: batches, levels, heat maps
    /// Kinds without an order, such as those of spans: any two can be distinguished, with and
    /// without red-green colour blindness (a test computes their distances).
    std::array<Colour, 33> kinds;

    /// The ramp at `position` of 0 … `count` − 1, interpolated in sRGB between its stops.
    [[nodiscard]] Colour ordinal(std::size_t position, std::size_t count) const noexcept;
};

[[nodiscard]] const Theme& dark_theme() noexcept;
[[nodiscard]] const Theme& light_theme() noexcept;

/// WCAG 2 contrast ratio of two opaque colours, 1 … 21.
[[nodiscard]] double contrast(Colour a, Colour b) noexcept;

} // namespace blockloom::scene
