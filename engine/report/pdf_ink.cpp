#include "report/pdf_ink.h"

#include "scene/theme.h"

namespace blockloom::report {

void set_ink(cairo_t* context, scene::Colour colour) {
    cairo_set_source_rgb(context, colour.r / 255.0, colour.g / 255.0, colour.b / 255.0);
}

scene::Colour ink_of(Tone tone) {
    const scene::Theme& theme = scene::light_theme();
    switch (tone) {
    case Tone::second:
        return theme.text2;
    case Tone::quiet:
        return theme.text3;
    case Tone::good:
        return theme.ok;
    case Tone::bad:
        return theme.error;
    case Tone::normal:
        break;
    }
    return theme.text;
}

} // namespace blockloom::report
