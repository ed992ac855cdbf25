// The head-up display without Dear ImGui: the same rows and switches.
#include "scene/cairo_draw.h"
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

constexpr double check_box = 11;

} // namespace

PanelAnswer draw_panel(cairo_t* context, const FrameRequest& request,
                       const FrameStatistics& statistics, GlyphFaces& faces) {
    PanelAnswer answer;
    const OverlayPanel& panel = request.overlay->panel;
    const OverlayInput& input = request.overlay->input;
    const Theme& theme = request.overlay->dark ? dark_theme() : light_theme();
    const double ratio = static_cast<double>(request.pixel_ratio);
    const double width = request.width / ratio, height = request.height / ratio;
    const OverlayRoom room = overlay_room(static_cast<float>(width), static_cast<float>(height));
    if (!room.any) return answer;
    const std::vector<HudRow> rows = hud_rows(request, statistics, false);
    const auto count = static_cast<double>(rows.size() + panel.toggles.size());
    const auto w =
        static_cast<double>(panel.collapsed ? std::min(overlay_folded, room.width) : room.width);
    const double inside =
        panel.collapsed ? overlay_row : overlay_row * (count + 1) + overlay_graph + 10.0;
    const double h =
        std::min(static_cast<double>(room.height), inside + 2.0 * (overlay_padding - 3));
    const double left = width - overlay_gap - w, top = height - overlay_gap - h;
    PanelPen pen{context,
                 faces,
                 ratio,
                 left + overlay_padding,
                 left + w - overlay_padding,
                 top + overlay_padding - 3 + overlay_row / 2};
    const auto within = [&](double x, double y, double from, double to) {
        return x >= left && x < left + w && y >= from && y < to && y < top + h;
    };
    const auto mouse_x = static_cast<double>(input.mouse_x),
               mouse_y = static_cast<double>(input.mouse_y);
    const bool elsewhere = input.press_x >= 0;
    const double press_x = elsewhere ? static_cast<double>(input.press_x) : mouse_x,
                 press_y = elsewhere ? static_cast<double>(input.press_y) : mouse_y;
    /// Whether the row at the pen was pressed.
    const auto pressed = [&] {
        return input.pressed &&
               within(press_x, press_y, pen.y - overlay_row / 2, pen.y + overlay_row / 2);
    };
    answer.wants_mouse = within(mouse_x, mouse_y, top, top + h);
    cairo_save(context);
    pen.fill(left, top, w, h, theme.line);
    pen.fill(left + 1, top + 1, w - 2, h - 2, theme.panel);
    cairo_rectangle(context, left * ratio, top * ratio, w * ratio, h * ratio);
    cairo_clip(context);
    pen.write((panel.collapsed ? "▸ " : "▾ ") + panel.title, pen.left, theme.text, overlay_text,
              Anchor::left, Face::medium);
    if (pressed()) answer.changes.push_back({"collapsed", panel.collapsed ? 0 : 1});
    if (panel.collapsed) {
        cairo_restore(context);
        return answer;
    }
    double y = pen.y + overlay_row / 2 + 2;
    const double across = pen.right - pen.left;
    pen.fill(pen.left, y, across, overlay_graph, theme.field);
    const double step = across / FrameStatistics::most;
    const std::size_t frames = statistics.frame_ms.size();
    for (std::size_t i = 0; i < frames; ++i) {
        const double bar = overlay_graph * static_cast<double>(statistics.frame_ms[i]) /
                           std::max(static_cast<double>(statistics.longest_ms()), 1e-6);
        pen.fill(pen.right - step * static_cast<double>(frames - i), y + overlay_graph - bar, step,
                 bar, theme.accent);
    }
    pen.y = y + overlay_graph + 2 + overlay_row / 2;
    for (const HudRow& row : rows) {
        pen.write(row.name, pen.left, theme.text2, overlay_caption, Anchor::left);
        pen.write(row.value, pen.left + across * static_cast<double>(overlay_names), theme.text,
                  overlay_caption, Anchor::left);
        pen.y += overlay_row;
    }
    y = pen.y - overlay_row / 2 + 1;
    pen.fill(pen.left, y, across, 1, theme.line);
    pen.y += 4;
    for (const OverlayToggle& toggle : panel.toggles) {
        const double box = pen.y - check_box / 2;
        pen.fill(pen.left, box, check_box, check_box, theme.control_border);
        pen.fill(pen.left + 1, box + 1, check_box - 2, check_box - 2, theme.field);
        if (toggle.on) pen.fill(pen.left + 3, box + 3, check_box - 6, check_box - 6, theme.accent);
        pen.write(toggle.label, pen.left + check_box + 7, theme.text, overlay_caption,
                  Anchor::left);
        if (pressed()) answer.changes.push_back({toggle.id, toggle.on ? 0 : 1});
        pen.y += overlay_row;
    }
    cairo_restore(context);
    return answer;
}

} // namespace blockloom::scene
