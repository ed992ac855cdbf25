#include "scene/glyph_faces.h"

#include "base/utf8.h"

#include <algorithm>
#include <cairo-ft.h>
#include <cmath>
#include <string>

namespace blockloom::scene {
namespace {

constexpr std::array<const char*, 5> patterns{"Roboto,DejaVu Sans:weight=80:slant=0:width=100",
                                              "Roboto,DejaVu Sans:weight=100:slant=0:width=100",
                                              "JetBrains Mono,DejaVu Sans Mono:weight=80:slant=0",
                                              "DejaVu Sans:weight=80",
                                              "DejaVu Sans Mono:weight=80"};

struct PatternDeleter {
    void operator()(FcPattern* pattern) const noexcept { FcPatternDestroy(pattern); }
};
using Pattern = std::unique_ptr<FcPattern, PatternDeleter>;

/// The installed font that comes nearest to a description; without any, the description.
Pattern matched(const char* text) {
    Pattern asked(FcNameParse(reinterpret_cast<const FcChar8*>(text)));
    FcConfigSubstitute(nullptr, asked.get(), FcMatchPattern);
    FcDefaultSubstitute(asked.get());
    FcResult result = FcResultMatch;
    Pattern found(FcFontMatch(nullptr, asked.get(), &result));
    return found ? std::move(found) : std::move(asked);
}

CairoFace open_face(const char* text) {
    // Without any font installed Cairo draws its built-in one: no text is lost silently.
    return CairoFace(cairo_ft_font_face_create_for_pattern(matched(text).get()));
}

/// The glyph of one character; 0: the font has none.
unsigned long index_of(cairo_scaled_font_t* font, char32_t character) {
    const std::string bytes = utf8_of(character);
    cairo_glyph_t* glyphs = nullptr;
    int count = 0;
    if (cairo_scaled_font_text_to_glyphs(font, 0, 0, bytes.data(), static_cast<int>(bytes.size()),
                                         &glyphs, &count, nullptr, nullptr,
                                         nullptr) != CAIRO_STATUS_SUCCESS)
        return 0;
    const unsigned long index = count > 0 ? glyphs[0].index : 0;
    cairo_glyph_free(glyphs);
    return index;
}

double advance_of(cairo_scaled_font_t* font, unsigned long index) {
    const cairo_glyph_t glyph{index, 0, 0};
    cairo_text_extents_t extents{};
    cairo_scaled_font_glyph_extents(font, &glyph, 1, &extents);
    return extents.x_advance;
}

} // namespace

std::string font_file(Face face) {
    const Pattern found = matched(patterns[static_cast<std::size_t>(face)]);
    FcChar8* path = nullptr;
    if (FcPatternGetString(found.get(), FC_FILE, 0, &path) != FcResultMatch) return {};
    return reinterpret_cast<const char*>(path);
}

GlyphFaces::Size& GlyphFaces::size(SizedFace face) {
    const std::uint64_t key = static_cast<std::uint64_t>(face.face) << 32 |
                              static_cast<std::uint32_t>(face.quarter_pixels);
    Size& found = sizes_[key];
    if (found.font) return found;
    CairoFace& type = faces_[face.face];
    if (!type) type = open_face(patterns[face.face]);
    cairo_matrix_t scale, none;
    const double pixels = face.quarter_pixels / 4.0;
    cairo_matrix_init_scale(&scale, pixels, pixels);
    cairo_matrix_init_identity(&none);
    // Hinted upright only and with true advances: even spacing, crisp stems and baselines.
    cairo_font_options_t* options = cairo_font_options_create();
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_SLIGHT);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    found.font = CairoFont(cairo_scaled_font_create(type.get(), &scale, &none, options));
    cairo_font_options_destroy(options);
    cairo_text_extents_t extents{};
    cairo_scaled_font_text_extents(found.font.get(), "H", &extents);
    found.capitals = -extents.y_bearing;
    return found;
}

cairo_scaled_font_t* GlyphFaces::font(SizedFace face) {
    return size(face).font.get();
}

const GlyphFaces::Glyph& GlyphFaces::glyph(SizedFace face, char32_t character) {
    Size& own = size(face);
    if (const auto found = own.glyphs.find(character); found != own.glyphs.end())
        return found->second;
    Glyph made;
    made.face = face;
    made.index = static_cast<std::uint32_t>(index_of(own.font.get(), character));
    if (made.index == 0) {
        const SizedFace other{face.face == 2 ? 4U : 3U, face.quarter_pixels};
        if (const unsigned long index = index_of(font(other), character); index != 0) {
            made.face = other;
            made.index = static_cast<std::uint32_t>(index);
        }
    }
    made.advance = advance_of(font(made.face), made.index);
    return size(face).glyphs.emplace(character, made).first->second;
}

PlacedText GlyphFaces::place(std::string_view utf8, Face face, double pixels, Anchor anchor) {
    const SizedFace wanted{static_cast<std::uint32_t>(face),
                           std::clamp(static_cast<std::int32_t>(std::lround(pixels * 4)), 4, 2048)};
    PlacedText placed;
    placed.baseline = static_cast<std::int32_t>(std::lround(size(wanted).capitals / 2));
    std::vector<double> at;
    std::string_view rest = utf8;
    while (!rest.empty()) {
        const std::size_t first = utf8.size() - rest.size();
        const Glyph& next = glyph(wanted, next_character(rest));
        const std::size_t length = utf8.size() - rest.size() - first;
        placed.glyphs.push_back({next.face, next.index, 0, static_cast<std::uint32_t>(first),
                                 static_cast<std::uint32_t>(length)});
        at.push_back(placed.width);
        placed.width += next.advance;
    }
    const double shift = anchor == Anchor::left     ? 0
                         : anchor == Anchor::centre ? placed.width / 2
                                                    : placed.width;
    for (std::size_t i = 0; i < at.size(); ++i)
        placed.glyphs[i].quarter_x = static_cast<std::int32_t>(std::lround((at[i] - shift) * 4));
    return placed;
}

} // namespace blockloom::scene
