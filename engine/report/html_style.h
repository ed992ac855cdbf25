// The style sheet of HTML reports: the colours of both themes as CSS variables.
#pragma once

#include "scene/colour.h"

#include <cstddef>
#include <string>

namespace blockloom::report {

/// The whole style sheet: light, dark if the reader's system is, and print.
[[nodiscard]] std::string style_sheet();

/// "#rrggbb".
[[nodiscard]] std::string css_colour(scene::Colour colour);

/// CSS variables --l and --d with the ramp's colour at `position` of `count` in either theme; class
/// "ramp" uses them.
[[nodiscard]] std::string ramp_style(std::size_t position, std::size_t count);

} // namespace blockloom::report
