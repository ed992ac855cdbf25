#include "scene/cairo_draw.h"

#include "scene/glyph_atlas.h"
#include "scene/line_density.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace blockloom::scene {
namespace {

void set_colour(cairo_t* c, Colour colour, double factor = 1) {
    cairo_set_source_rgba(c, colour.r / 255.0, colour.g / 255.0, colour.b / 255.0,
                          colour.a / 255.0 * factor);
}

void draw_line(cairo_t* c, const Line& line, const PixelMap& map, int width, int height) {
    const PixelLine p = pixel_line(line, map, width, height);
    if (!p.visible) return;
    set_colour(c, line.colour, p.alpha);
    cairo_set_line_width(c, p.width);
    if (line.dashed) {
        const std::array<double, 2> dashes{4 * map.ratio, 3 * map.ratio};
        cairo_set_dash(c, dashes.data(), 2, p.before);
    }
    cairo_move_to(c, p.x0, p.y0);
    cairo_line_to(c, p.x1, p.y1);
    cairo_stroke(c);
    if (line.dashed) cairo_set_dash(c, nullptr, 0, 0);
}

/// The shape's outline, `inset` pixels inside its edges.
void shape_path(cairo_t* c, Shape shape, const PixelBox& box, double inset) {
    const double w = box.width(), h = box.height();
    const double x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2;
    switch (shape) {
    case Shape::square:
        if (w > 2 * inset && h > 2 * inset)
            cairo_rectangle(c, box.left + inset, box.top + inset, w - 2 * inset, h - 2 * inset);
        break;
    case Shape::circle:
        if (const double r = std::min(w, h) / 2 - inset; r > 0) {
            cairo_new_sub_path(c);
            cairo_arc(c, x, y, r, 0, 2 * 3.14159265358979);
        }
        break;
    case Shape::diamond: {
        const double part = 1 - inset * std::hypot(w / 2, h / 2) / (w / 2 * h / 2);
        if (part <= 0) break;
        cairo_move_to(c, x, y - h / 2 * part);
        cairo_line_to(c, x + w / 2 * part, y);
        cairo_line_to(c, x, y + h / 2 * part);
        cairo_line_to(c, x - w / 2 * part, y);
        cairo_close_path(c);
        break;
    }
    case Shape::triangle: {
        // The inner triangle shrinks about the incentre: (0, h/2 − r) from the middle.
        const double side = std::hypot(w / 2, h);
        const double r = w * h / (w + 2 * side);
        const double part = 1 - inset / r;
        if (part <= 0) break;
        const double cy = box.bottom - r;
        cairo_move_to(c, x, cy + (box.top - cy) * part);
        cairo_line_to(c, x + w / 2 * part, cy + r * part);
        cairo_line_to(c, x - w / 2 * part, cy + r * part);
        cairo_close_path(c);
        break;
    }
    }
}

void hatch(cairo_t* c, const Box& box, const PixelBox& p, double ratio) {
    Colour dark = box.fill;
    dark.r = static_cast<std::uint8_t>(dark.r * 0.55);
    dark.g = static_cast<std::uint8_t>(dark.g * 0.55);
    dark.b = static_cast<std::uint8_t>(dark.b * 0.55);
    cairo_save(c);
    shape_path(c, box.shape, p, p.outline);
    cairo_clip(c);
    set_colour(c, box.outline.a > 0 ? box.outline : dark);
    // Stripes x + y = 6k … 6k + 2 from the upper left corner, cut to what can be seen.
    const double step = 6 * ratio, sum = p.width() + p.height();
    double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    cairo_clip_extents(c, &x0, &y0, &x1, &y1);
    const double seen = x1 - p.left + y1 - p.top;
    for (double s = std::max(0.0, std::floor((x0 - p.left + y0 - p.top) / step) * step);
         s < std::min(sum, seen); s += step) {
        cairo_move_to(c, p.left + s, p.top);
        cairo_line_to(c, p.left + s + 2 * ratio, p.top);
        cairo_line_to(c, p.left + s + 2 * ratio - sum, p.top + sum);
        cairo_line_to(c, p.left + s - sum, p.top + sum);
        cairo_close_path(c);
    }
    cairo_fill(c);
    cairo_restore(c);
}

/// Dashes of a box: three on, two off, from the upper left corner along each edge.
void dashed_edges(cairo_t* c, const PixelBox& p, double ratio) {
    const double o = p.outline;
    for (double s = 0; s < p.width(); s += 5 * ratio) {
        const double w = std::min(3 * ratio, p.width() - s);
        cairo_rectangle(c, p.left + s, p.top, w, o);
        cairo_rectangle(c, p.left + s, p.bottom - o, w, o);
    }
    for (double s = 0; s < p.height() - o; s += 5 * ratio) {
        const double from = std::max(s, o), to = std::min(s + 3 * ratio, p.height() - o);
        if (to <= from) continue;
        cairo_rectangle(c, p.left, p.top + from, o, to - from);
        cairo_rectangle(c, p.right - o, p.top + from, o, to - from);
    }
}

void draw_box(cairo_t* c, const Box& box, const PixelMap& map, int width, int height) {
    const PixelBox p = pixel_box(box, map, width, height);
    if (p.right <= 0 || p.bottom <= 0 || p.left >= width || p.top >= height) return;
    if (box.fill.a > 0) {
        set_colour(c, box.fill);
        shape_path(c, box.shape, p, p.outline);
        cairo_fill(c);
    }
    if (box.hatched) hatch(c, box, p, map.ratio);
    if (p.outline <= 0) return;
    set_colour(c, box.outline);
    if (p.dashed && box.shape == Shape::square) {
        dashed_edges(c, p, map.ratio);
    } else if (p.dashed) {
        const std::array<double, 2> dashes{3 * map.ratio, 2 * map.ratio};
        cairo_set_dash(c, dashes.data(), 2, 0);
        cairo_set_line_width(c, p.outline);
        shape_path(c, box.shape, p, p.outline / 2);
        cairo_stroke(c);
        cairo_set_dash(c, nullptr, 0, 0);
        return;
    } else {
        cairo_set_fill_rule(c, CAIRO_FILL_RULE_EVEN_ODD);
        shape_path(c, box.shape, p, 0);
        shape_path(c, box.shape, p, p.outline);
    }
    cairo_fill(c);
    cairo_set_fill_rule(c, CAIRO_FILL_RULE_WINDING);
}

/// Colours the background by a field of optical depths.
void draw_density(cairo_surface_t* surface, const DenseLines& dense, const PixelMap& map,
                  std::vector<std::uint32_t>& cells) {
    const int width = cairo_image_surface_get_width(surface);
    const int height = cairo_image_surface_get_height(surface);
    cells.resize(DensityField::cells(width, height));
    const DensityField field{width, height, cells.data()};
    field.draw(dense.lines, map);
    // The share of the line's colour in 1/256, by 1/128 of depth; depth 8 hides all.
    static const std::array<std::uint16_t, 1024> share = [] {
        std::array<std::uint16_t, 1024> table{};
        for (std::size_t i = 0; i < table.size(); ++i)
            table[i] = static_cast<std::uint16_t>(
                std::lround(256 * (1 - std::exp(-static_cast<double>(i) / 128))));
        return table;
    }();
    cairo_surface_flush(surface);
    unsigned char* pixels = cairo_image_surface_get_data(surface);
    const int stride = cairo_image_surface_get_stride(surface);
    const std::array<int, 3> colour{dense.colour.b, dense.colour.g, dense.colour.r};
    for (int y = 0; y < height; ++y) {
        const std::uint32_t* depth = field.row(y);
        unsigned char* pixel = pixels + static_cast<std::ptrdiff_t>(y) * stride;
        for (int x = 0; x < width; ++x, pixel += 4) {
            if (depth[x] == 0) continue;
            const int part = share[std::min<std::uint32_t>((depth[x] + 256) >> 9, 1023)];
            for (std::size_t i = 0; i < 3; ++i)
                pixel[i] = static_cast<unsigned char>(
                    (pixel[i] * (256 - part) + colour[i] * part + 128) >> 8);
        }
    }
    cairo_surface_mark_dirty(surface);
}

void draw_lines(cairo_t* c, const Layer& layer, const PixelMap& map, const FrameRequest& request,
                CairoTarget target) {
    const auto each = [&](const std::vector<Line>& lines) {
        for (const Line& line : lines) draw_line(c, line, map, request.width, request.height);
    };
    if (target == CairoTarget::vector) return each(layer.lines);
    const SplitLines split = split_lines(layer.lines, request.pixel_ratio);
    std::vector<std::uint32_t> cells;
    for (const DenseLines& dense : split.dense)
        draw_density(cairo_get_target(c), dense, map, cells);
    each(split.dense.empty() ? layer.lines : split.others);
}

} // namespace

void draw_layer(cairo_t* c, const Layer& layer, const FrameRequest& request, GlyphFaces& faces,
                CairoTarget target) {
    if (!request.camera.is_within(layer.zooms)) return;
    const PixelMap map = PixelMap::of(request, layer.space, layer.shift);
    if (request.drawn.lines) draw_lines(c, layer, map, request, target);
    if (request.drawn.boxes)
        for (const Box& box : layer.boxes) draw_box(c, box, map, request.width, request.height);
    if (!request.drawn.texts) return;
    for (const Text& text : layer.texts) {
        const double x = map.x(static_cast<double>(text.at.x));
        const double y = map.y(static_cast<double>(text.at.y));
        // No text extends further than its length in ems.
        const double reach = static_cast<double>(text.pixels) * map.ratio *
                             (static_cast<double>(text.utf8.size()) + 2);
        if (x < -reach || y < -reach || x > request.width + reach || y > request.height + reach)
            continue;
        draw_text(c, text, x, y, map.ratio, faces, target);
    }
}

void draw_text(cairo_t* c, const Text& text, double x, double y, double ratio, GlyphFaces& faces,
               CairoTarget target) {
    const PlacedText placed =
        faces.place(text.utf8, text.face, static_cast<double>(text.pixels) * ratio, text.anchor);
    set_colour(c, text.colour);
    x = std::floor(x + 0.5);
    y = std::floor(y + 0.5) + placed.baseline;
    for (const PlacedGlyph& glyph : placed.glyphs) {
        const double pen = x + glyph.quarter_x / 4.0;
        if (target == CairoTarget::raster) {
            draw_glyph(c, faces, glyph.face, glyph.glyph, pen, y);
            continue;
        }
        // With its characters, so that a PDF can be searched and copied from.
        const cairo_glyph_t shown{glyph.glyph, pen, y};
        const cairo_text_cluster_t cluster{static_cast<int>(glyph.length), 1};
        cairo_set_scaled_font(c, faces.font(glyph.face));
        cairo_show_text_glyphs(c, text.utf8.data() + glyph.first, static_cast<int>(glyph.length),
                               &shown, 1, &cluster, 1, static_cast<cairo_text_cluster_flags_t>(0));
    }
}

void draw_request(cairo_t* c, const FrameRequest& request, GlyphFaces& faces, CairoTarget target) {
    const Colour ground = request.base ? request.base->background : Colour{};
    set_colour(c, with_alpha(ground, 255));
    cairo_rectangle(c, 0, 0, request.width, request.height);
    cairo_fill(c);
    if (request.base)
        for (const Layer& layer : request.base->layers)
            draw_layer(c, layer, request, faces, target);
    if (!request.drawn.marks) return;
    for (const Layer& layer : request.marks) draw_layer(c, layer, request, faces, target);
}

} // namespace blockloom::scene
