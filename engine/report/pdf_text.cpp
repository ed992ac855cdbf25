#include "report/pdf_text.h"

#include "base/utf8.h"

#include <algorithm>

namespace blockloom::report {
namespace {

constexpr double pango_units = PANGO_SCALE;

} // namespace

double SetText::width() const {
    if (!layout_) return 0;
    PangoRectangle logical;
    pango_layout_get_extents(layout_.get(), nullptr, &logical);
    return logical.width / pango_units;
}

double SetText::height() const {
    if (!layout_) return 0;
    PangoRectangle logical;
    pango_layout_get_extents(layout_.get(), nullptr, &logical);
    return logical.height / pango_units;
}

int SetText::lines() const {
    return layout_ ? pango_layout_get_line_count(layout_.get()) : 0;
}

void SetText::draw(cairo_t* context, double x, double y) const {
    if (!layout_) return;
    cairo_set_source_rgb(context, colour_.r / 255.0, colour_.g / 255.0, colour_.b / 255.0);
    cairo_move_to(context, x, y);
    pango_cairo_show_layout(context, layout_.get());
}

void SetText::draw_line(cairo_t* context, int line, double x, double y) const {
    PangoLayoutLine* const found =
        layout_ ? pango_layout_get_line_readonly(layout_.get(), line) : nullptr;
    if (found == nullptr) return;
    PangoRectangle logical;
    pango_layout_line_get_extents(found, nullptr, &logical);
    cairo_set_source_rgb(context, colour_.r / 255.0, colour_.g / 255.0, colour_.b / 255.0);
    cairo_move_to(context, x, y - logical.y / pango_units);
    pango_cairo_show_layout_line(context, found);
}

TextSetter::TextSetter()
    : fonts_(pango_cairo_font_map_new()), context_(pango_font_map_create_context(fonts_.get())) {
    pango_cairo_font_map_set_resolution(PANGO_CAIRO_FONT_MAP(fonts_.get()), 72);
    // Places do not depend on a screen's pixels.
    const std::unique_ptr<cairo_font_options_t, decltype(&cairo_font_options_destroy)> options(
        cairo_font_options_create(), cairo_font_options_destroy);
    cairo_font_options_set_hint_style(options.get(), CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_antialias(options.get(), CAIRO_ANTIALIAS_GRAY);
    pango_cairo_context_set_font_options(context_.get(), options.get());
    pango_context_set_round_glyph_positions(context_.get(), FALSE);
    pango_context_set_language(context_.get(), pango_language_from_string("en"));
}

SetText TextSetter::set(std::string_view text, const TextStyle& style, double width) const {
    const std::unique_ptr<PangoFontDescription, decltype(&pango_font_description_free)> font(
        pango_font_description_new(), pango_font_description_free);
    pango_font_description_set_family(font.get(), style.mono ? "JetBrains Mono, DejaVu Sans Mono"
                                                             : "Roboto, DejaVu Sans");
    pango_font_description_set_weight(font.get(),
                                      style.medium ? PANGO_WEIGHT_MEDIUM : PANGO_WEIGHT_NORMAL);
    pango_font_description_set_absolute_size(font.get(), style.size * pango_units);
    SetText made;
    made.colour_ = style.colour;
    made.layout_ = std::shared_ptr<PangoLayout>(pango_layout_new(context_.get()), ObjectDeleter());
    PangoLayout* const layout = made.layout_.get();
    pango_layout_set_font_description(layout, font.get());
    // Names come from files: text that cannot be seen must cost nothing.
    const auto most = static_cast<std::size_t>(style.most_lines > 0 ? style.most_lines : 80) * 150;
    std::string shown = printable(utf8_beginning(text, most));
    if (text.size() > most) shown += "…";
    pango_layout_set_text(layout, shown.data(), static_cast<int>(shown.size()));
    if (width > 0) {
        pango_layout_set_width(layout, static_cast<int>(width * pango_units));
        pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR);
        pango_layout_set_alignment(layout, style.align);
        if (style.most_lines > 0) {
            pango_layout_set_height(layout, -style.most_lines);
            pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END);
        }
    }
    return made;
}

double TextSetter::longest_word(std::string_view text, const TextStyle& style) const {
    double longest = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        if (end > 0) longest = std::max(longest, set(text.substr(0, end), style).width());
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return longest;
}

} // namespace blockloom::report
