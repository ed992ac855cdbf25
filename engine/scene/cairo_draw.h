// Draws a request's layers with Cairo: pixel for pixel like the Vulkan sink on an image, as vectors
// on SVG and PDF.
#pragma once

#include "scene/camera_pixels.h"
#include "scene/glyph_faces.h"

namespace blockloom::scene {

/// What the context draws on: raster text is placed on quarter pixels, vector text stays text.
enum class CairoTarget : std::uint8_t { raster, vector };

/// Ground, base list, marks. Coordinates of the context are device pixels of the request.
void draw_request(cairo_t* context, const FrameRequest& request, GlyphFaces& faces,
                  CairoTarget target);

/// Draws a layer as the request's camera places it.
void draw_layer(cairo_t* context, const Layer& layer, const FrameRequest& request,
                GlyphFaces& faces, CairoTarget target);

/// Draws one text at device pixels.
void draw_text(cairo_t* context, const Text& text, double x, double y, double ratio,
               GlyphFaces& faces, CairoTarget target);

/// The overlay's legend and coverage line, at its place in the lower right corner: for a renderer
/// without Dear ImGui.
void draw_panel(cairo_t* context, const FrameRequest& request, GlyphFaces& faces);

} // namespace blockloom::scene
