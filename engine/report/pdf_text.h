// Text of PDF pages, set by Pango: breaking into lines, shaping, substitutes for missing glyphs.
// Private to the report room.
#pragma once

#include "scene/colour.h"

#include <algorithm>
#include <memory>
#include <pango/pangocairo.h>
#include <string>
#include <string_view>

namespace blockloom::report {

struct ObjectDeleter {
    template <typename T> void operator()(T* object) const noexcept { g_object_unref(object); }
};
template <typename T> using Object = std::unique_ptr<T, ObjectDeleter>;

struct TextStyle {
    double size = 9; ///< points
    scene::Colour colour;
    bool medium = false;
    bool mono = false;
    PangoAlignment align = PANGO_ALIGN_LEFT;
    int most_lines = 0; ///< what is longer ends in "…"; 0: all
};

/// Text that is set: in one line, or broken at its width. Copies share it.
class SetText {
public:
    SetText() = default;
    [[nodiscard]] double width() const;  ///< points, of the longest line
    [[nodiscard]] double height() const; ///< points
    [[nodiscard]] int lines() const;
    [[nodiscard]] double line_height() const { return height() / std::max(lines(), 1); }
    /// With its top left corner (of its width, where it has one) at a place.
    void draw(cairo_t* context, double x, double y) const;
    /// One of its lines, with the line's top left corner at a place.
    void draw_line(cairo_t* context, int line, double x, double y) const;

private:
    friend class TextSetter;
    std::shared_ptr<PangoLayout> layout_;
    scene::Colour colour_;
};

/// Opens the typefaces when they are first used. Not thread-safe.
class TextSetter {
public:
    TextSetter();
    /// What is no UTF-8 and what steers a terminal is shown as U+FFFD. `width`: points; 0: one
    /// line.
    [[nodiscard]] SetText set(std::string_view text, const TextStyle& style,
                              double width = 0) const;
    /// Of the longest word, points.
    [[nodiscard]] double longest_word(std::string_view text, const TextStyle& style) const;

private:
    Object<PangoFontMap> fonts_;
    Object<PangoContext> context_;
};

} // namespace blockloom::report
