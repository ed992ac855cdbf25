// The overlay panel without Dear ImGui: title, legend and coverage. Its choices are also available
// as controls of the window.
#include "scene/cairo_draw.h"
#include "scene/legend_signs.h"
#include "scene/overlay_size.h"
#include "scene/theme.h"

#include <algorithm>

namespace blockloom::scene {
namespace {

struct PanelPen {
    cairo_t* context;
    GlyphFaces& faces;
    double ratio, left, right, y;

    void write(const std::string& text, double x, Colour colour, float size, Anchor anchor,
               Face face = Face::text) const {
        Text item;
        item.utf8 = text;
        item.colour = colour;
        item.pixels = size;
        item.anchor = anchor;
        item.face = face;
        draw_text(context, item, x * ratio, y * ratio, ratio, faces, CairoTarget::raster);
    }
    void fill(double x, double top, double w, double h, Colour colour) const {
        cairo_set_source_rgba(context, colour.r / 255.0, colour.g / 255.0, colour.b / 255.0,
                              colour.a / 255.0);
        cairo_rectangle(context, x * ratio, top * ratio, w * ratio, h * ratio);
        cairo_fill(context);
    }
};

double rows_of(const OverlayPanel& panel) {
    double rows = panel.title.empty() ? 0 : 1;
    for (const OverlayLegend& legend : panel.legend)
        rows += legend.sign == OverlayLegend::Sign::ramp ? 2 : 1;
    return rows + (panel.coverage.empty() ? 0 : 1);
}

void ramp_rows(PanelPen& pen, const OverlayLegend& legend, const Theme& theme) {
    pen.write(legend.label, pen.left, theme.text2, overlay_caption, Anchor::left);
    const double from = pen.left + (pen.right - pen.left) * 0.4, width = pen.right - from;
    constexpr std::size_t steps = 24;
    for (std::size_t i = 0; i < steps; ++i)
        pen.fill(from + width * static_cast<double>(i) / steps, pen.y - 4, width / steps + 0.5, 8,
                 theme.ordinal(i, steps));
    pen.y += overlay_row - 3;
    pen.write(legend.first, from, theme.text3, overlay_caption, Anchor::left);
    pen.write(legend.last, pen.right, theme.text3, overlay_caption, Anchor::right);
    pen.y += 3;
}

void sign_row(const PanelPen& pen, const OverlayLegend& legend, const FrameRequest& request,
              const Theme& theme) {
    const Point middle{static_cast<float>(pen.left) + sign_width / 2, static_cast<float>(pen.y)};
    draw_layer(pen.context, sign_marks(legend, middle, theme), request, pen.faces,
               CairoTarget::raster);
    pen.write(legend.label, pen.left + 24, theme.text2, overlay_caption, Anchor::left);
}

} // namespace

void draw_panel(cairo_t* context, const FrameRequest& request, GlyphFaces& faces) {
    const OverlayPanel& panel = request.overlay->panel;
    const Theme& theme = request.overlay->dark ? dark_theme() : light_theme();
    const double ratio = static_cast<double>(request.pixel_ratio);
    const double width = request.width / ratio, height = request.height / ratio;
    const OverlayRoom room = overlay_room(static_cast<float>(width), static_cast<float>(height));
    const double rows = panel.collapsed ? 1 : rows_of(panel);
    if (!room.any || rows < 1) return;
    const auto w =
        static_cast<double>(panel.collapsed ? std::min(overlay_folded, room.width) : room.width);
    const double h = std::min(static_cast<double>(room.height),
                              rows * overlay_row + 2.0 * (overlay_padding - 3));
    const double left = width - overlay_gap - w, top = height - overlay_gap - h;
    PanelPen pen{context,
                 faces,
                 ratio,
                 left + overlay_padding,
                 left + w - overlay_padding,
                 top + overlay_padding - 3 + overlay_row / 2};
    cairo_save(context);
    pen.fill(left, top, w, h, theme.line);
    pen.fill(left + 1, top + 1, w - 2, h - 2, theme.panel);
    cairo_rectangle(context, left * ratio, top * ratio, w * ratio, h * ratio);
    cairo_clip(context);
    if (!panel.title.empty()) {
        pen.write(panel.title, pen.left, theme.text, overlay_text, Anchor::left, Face::medium);
        pen.y += overlay_row;
    }
    if (!panel.collapsed) {
        for (const OverlayLegend& legend : panel.legend) {
            if (legend.sign == OverlayLegend::Sign::ramp) {
                ramp_rows(pen, legend, theme);
            } else {
                sign_row(pen, legend, request, theme);
            }
            pen.y += overlay_row;
        }
        pen.write(panel.coverage, pen.left, theme.text, overlay_caption, Anchor::left);
    }
    cairo_restore(context);
}

} // namespace blockloom::scene
