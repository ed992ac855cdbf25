// The program's typefaces, and the positions of glyphs in a text: the same for both renderers.
#pragma once

#include "scene/cairo_handles.h"
#include "scene/display_list.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace blockloom::scene {

/// A typeface at a size: `face` 0 … 2 are Face::text, medium, mono; 3 and 4 (DejaVu) replace glyphs
/// that these do not have.
struct SizedFace {
    std::uint32_t face = 0;
    std::int32_t quarter_pixels = 0; ///< size in quarters of a device pixel
    friend bool operator==(const SizedFace&, const SizedFace&) = default;
};

/// One glyph of a laid out text.
struct PlacedGlyph {
    SizedFace face;
    std::uint32_t glyph = 0;             ///< index in the font
    std::int32_t quarter_x = 0;          ///< from the anchor, quarters of a device pixel
    std::uint32_t first = 0, length = 0; ///< bytes of the text it represents
};

struct PlacedText {
    std::vector<PlacedGlyph> glyphs;
    std::int32_t baseline = 0; ///< device pixels below the anchor
    double width = 0;          ///< device pixels
};

/// Fonts from fontconfig, opened when first used. Not thread-safe: one per renderer.
class GlyphFaces {
public:
    /// Lays out `text` at `pixels` device pixels: one line, no kerning, hinted vertically only.
    [[nodiscard]] PlacedText place(std::string_view utf8, Face face, double pixels, Anchor anchor);
    /// The Cairo font of a face and size; never null.
    [[nodiscard]] cairo_scaled_font_t* font(SizedFace face);

private:
    struct Glyph {
        SizedFace face;
        std::uint32_t index = 0;
        double advance = 0;
    };
    struct Size {
        CairoFont font;
        double capitals = 0; ///< height of H
        std::unordered_map<char32_t, Glyph> glyphs;
    };
    Size& size(SizedFace face);
    const Glyph& glyph(SizedFace face, char32_t character);

    std::array<CairoFace, 5> faces_;
    std::unordered_map<std::uint64_t, Size> sizes_;
};

/// The file that fontconfig chooses for a face; empty: none.
[[nodiscard]] std::string font_file(Face face);

} // namespace blockloom::scene
