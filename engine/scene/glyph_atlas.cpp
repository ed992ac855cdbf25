#include "scene/glyph_atlas.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace blockloom::scene {

void draw_glyph(cairo_t* context, GlyphFaces& faces, SizedFace face, std::uint32_t glyph, double x,
                double y) {
    // The outline, not show_glyphs: Cairo 1.16 moves shown glyphs to whole pixels.
    const cairo_glyph_t placed{glyph, x, y};
    cairo_set_scaled_font(context, faces.font(face));
    cairo_new_path(context);
    cairo_glyph_path(context, &placed, 1);
    cairo_fill(context);
}

std::optional<AtlasGlyph> GlyphAtlas::reserve(std::uint32_t w, std::uint32_t h) {
    if (w > width) return std::nullopt;
    if (shelf_x_ + w > width) {
        shelf_y_ += shelf_height_;
        shelf_x_ = shelf_height_ = 0;
    }
    if (shelf_y_ + h > max_height) return std::nullopt;
    while (shelf_y_ + h > height_) height_ = height_ == 0 ? 128 : height_ * 2;
    pixels_.resize(std::size_t{width} * height_);
    AtlasGlyph place;
    place.texel_x = static_cast<std::uint16_t>(shelf_x_);
    place.texel_y = static_cast<std::uint16_t>(shelf_y_);
    place.width = static_cast<std::uint16_t>(w);
    place.height = static_cast<std::uint16_t>(h);
    shelf_x_ += w;
    shelf_height_ = std::max(shelf_height_, h);
    return place;
}

std::optional<AtlasGlyph> GlyphAtlas::find(GlyphFaces& faces, SizedFace face, std::uint32_t glyph,
                                           std::uint32_t quarter) {
    const std::uint64_t key = static_cast<std::uint64_t>(glyph) << 32 |
                              static_cast<std::uint64_t>(face.quarter_pixels) << 8 |
                              static_cast<std::uint64_t>(face.face) << 4 | quarter;
    if (const auto found = glyphs_.find(key); found != glyphs_.end()) return found->second;

    const CairoSurface probe(cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1));
    const CairoContext measure(cairo_create(probe.get()));
    const cairo_glyph_t placed{glyph, quarter / 4.0, 0};
    cairo_set_scaled_font(measure.get(), faces.font(face));
    cairo_glyph_path(measure.get(), &placed, 1);
    double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    cairo_path_extents(measure.get(), &x0, &y0, &x1, &y1);
    AtlasGlyph made;
    if (x1 > x0 && y1 > y0) {
        const double left = std::floor(x0), top = std::floor(y0);
        const auto w = static_cast<int>(std::ceil(x1) - left);
        const auto h = static_cast<int>(std::ceil(y1) - top);
        const auto place = reserve(static_cast<std::uint32_t>(w), static_cast<std::uint32_t>(h));
        if (!place) return std::nullopt;
        made = *place;
        made.left = static_cast<std::int16_t>(left);
        made.top = static_cast<std::int16_t>(top);
        const CairoSurface picture(cairo_image_surface_create(CAIRO_FORMAT_A8, w, h));
        {
            const CairoContext context(cairo_create(picture.get()));
            draw_glyph(context.get(), faces, face, glyph, quarter / 4.0 - left, -top);
        }
        cairo_surface_flush(picture.get());
        const unsigned char* from = cairo_image_surface_get_data(picture.get());
        const int stride = cairo_image_surface_get_stride(picture.get());
        for (int row = 0; row < h; ++row)
            std::memcpy(pixels_.data() +
                            (std::size_t{made.texel_y} + static_cast<std::size_t>(row)) * width +
                            made.texel_x,
                        from + static_cast<std::ptrdiff_t>(row) * stride,
                        static_cast<std::size_t>(w));
        changed_from_ = std::min<std::uint32_t>(changed_from_, made.texel_y);
        changed_to_ = std::max<std::uint32_t>(changed_to_, made.texel_y + made.height);
    }
    glyphs_.emplace(key, made);
    return made;
}

void GlyphAtlas::clear() {
    glyphs_.clear();
    shelf_x_ = shelf_y_ = shelf_height_ = 0;
    ++generation_;
}

std::pair<std::uint32_t, std::uint32_t> GlyphAtlas::take_changed_rows() noexcept {
    const auto rows =
        changed_from_ < changed_to_ ? std::pair(changed_from_, changed_to_) : std::pair(0U, 0U);
    changed_from_ = UINT32_MAX;
    changed_to_ = 0;
    return rows;
}

} // namespace blockloom::scene
