// Colours on the pages of a PDF: those of the light theme. Private to the report room.
#pragma once

#include "report/document.h"

#include <cairo.h>

namespace blockloom::report {

void set_ink(cairo_t* context, scene::Colour colour);
[[nodiscard]] scene::Colour ink_of(Tone tone);

} // namespace blockloom::report
