// Draws a request's layers with Cairo: on an image pixel by pixel as the Vulkan renderer does, on
// SVG and PDF as vectors.
#pragma once

#include "scene/camera_pixels.h"
#include "scene/glyph_faces.h"
#include "scene/hud.h"

namespace blockloom::scene {

/// The target of the context: raster text is placed on quarter pixels, vector text stays text.
enum class CairoTarget : std::uint8_t { raster, vector };

/// Background, base list, marks. The context's coordinates are device pixels of the request.
void draw_request(cairo_t* context, const FrameRequest& request, GlyphFaces& faces,
                  CairoTarget target);

/// Draws a layer as placed by the request's camera.
void draw_layer(cairo_t* context, const Layer& layer, const FrameRequest& request,
                GlyphFaces& faces, CairoTarget target);

/// Draws one text at device pixels.
void draw_text(cairo_t* context, const Text& text, double x, double y, double ratio,
               GlyphFaces& faces, CairoTarget target);

/// The head-up display for a renderer without Dear ImGui, at its place in the lower right corner;
/// what a press in it changed, and whether the pointer is over it.
struct PanelAnswer {
    std::vector<OverlayChange> changes;
    bool wants_mouse = false;
};
[[nodiscard]] PanelAnswer draw_panel(cairo_t* context, const FrameRequest& request,
                                     const FrameStatistics& statistics, GlyphFaces& faces);

} // namespace blockloom::scene
