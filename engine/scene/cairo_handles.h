// Owning handles of Cairo objects.
#pragma once

#include <cairo.h>
#include <memory>

namespace blockloom::scene {

template <auto destroy> struct CairoDeleter {
    template <typename T> void operator()(T* object) const noexcept { destroy(object); }
};

using CairoSurface = std::unique_ptr<cairo_surface_t, CairoDeleter<cairo_surface_destroy>>;
using CairoContext = std::unique_ptr<cairo_t, CairoDeleter<cairo_destroy>>;
using CairoFace = std::unique_ptr<cairo_font_face_t, CairoDeleter<cairo_font_face_destroy>>;
using CairoFont = std::unique_ptr<cairo_scaled_font_t, CairoDeleter<cairo_scaled_font_destroy>>;

} // namespace blockloom::scene
