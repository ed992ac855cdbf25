// Glyph pictures side by side in one 8-bit image, drawn by Cairo when first needed.
#pragma once

#include "scene/glyph_faces.h"

#include <optional>
#include <utility>

namespace blockloom::scene {

/// The position of a glyph's picture in the atlas, and its offset from the pen.
struct AtlasGlyph {
    std::uint16_t texel_x = 0, texel_y = 0, width = 0, height = 0;
    std::int16_t left = 0, top = 0; ///< device pixels from the pen; top is negative above it
};

/// Grows downwards; positions never move, so that uploaded texts stay valid. When full it is
/// cleared
/// (`generation` counts this) and texts must be placed again. Not thread-safe.
class GlyphAtlas {
public:
    static constexpr std::uint32_t width = 1024, max_height = 4096;

    /// The picture of a glyph, 0 … 3 quarter pixels to the right of the pen; nothing when full.
    [[nodiscard]] std::optional<AtlasGlyph> find(GlyphFaces& faces, SizedFace face,
                                                 std::uint32_t glyph, std::uint32_t quarter);
    void clear();

    [[nodiscard]] std::uint64_t generation() const noexcept { return generation_; }
    [[nodiscard]] std::uint32_t height() const noexcept { return height_; }
    /// Coverage, `width` bytes per row.
    [[nodiscard]] const std::vector<std::uint8_t>& pixels() const noexcept { return pixels_; }
    /// Rows changed since the last call, first and one past the last.
    [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> take_changed_rows() noexcept;

private:
    std::optional<AtlasGlyph> reserve(std::uint32_t w, std::uint32_t h);

    std::vector<std::uint8_t> pixels_;
    std::unordered_map<std::uint64_t, AtlasGlyph> glyphs_;
    std::uint32_t height_ = 0, shelf_x_ = 0, shelf_y_ = 0, shelf_height_ = 0;
    std::uint32_t changed_from_ = UINT32_MAX, changed_to_ = 0;
    std::uint64_t generation_ = 0;
};

/// Draws one glyph's picture with its pen at (x, y) of the context's image.
void draw_glyph(cairo_t* context, GlyphFaces& faces, SizedFace face, std::uint32_t glyph, double x,
                double y);

} // namespace blockloom::scene
