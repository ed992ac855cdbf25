#include "report/themed_svg.h"

#include "report/markup.h"
#include "scene/camera_pixels.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <vector>

namespace blockloom::report {
namespace {

using scene::Box;
using scene::Colour;
using scene::Layer;
using scene::Line;
using scene::PixelBox;
using scene::PixelMap;

/// Positions to a tenth of a pixel, without a redundant ".0".
std::string place(double value) {
    std::string text = fmt::format("{:.1f}", value);
    if (text.ends_with(".0")) text.resize(text.size() - 2);
    return text == "-0" ? "0" : text;
}

std::string hex(Colour c) {
    std::string text = fmt::format("#{:02x}{:02x}{:02x}", c.r, c.g, c.b);
    return c.a == 255 ? text : text + fmt::format("{:02x}", c.a);
}

/// Paths of one layer by their style, in the order in which styles appear.
class Paths {
public:
    std::string& of(const std::string& style) {
        const auto [at, fresh] = index_.try_emplace(style, paths_.size());
        if (fresh) paths_.emplace_back(style, std::string());
        return paths_[at->second].second;
    }
    void write(std::string& svg) const {
        for (const auto& [style, path] : paths_)
            if (!path.empty())
                fmt::format_to(std::back_inserter(svg), "<path {} d=\"{}\"/>", style, path);
    }

private:
    std::map<std::string, std::size_t> index_;
    std::vector<std::pair<std::string, std::string>> paths_;
};

/// The outline of a shape, `inset` pixels inside its edges.
void add_shape(std::string& path, scene::Shape shape, const PixelBox& p, double inset) {
    const double left = p.left + inset, top = p.top + inset, right = p.right - inset,
                 bottom = p.bottom - inset;
    if (right <= left || bottom <= top) return;
    const double x = (left + right) / 2, y = (top + bottom) / 2;
    auto out = std::back_inserter(path);
    switch (shape) {
    case scene::Shape::square:
        fmt::format_to(out, "M{} {}h{}v{}h{}z", place(left), place(top), place(right - left),
                       place(bottom - top), place(left - right));
        break;
    case scene::Shape::circle: {
        const std::string r = place(std::min(right - left, bottom - top) / 2);
        const std::string d = place(std::min(right - left, bottom - top));
        fmt::format_to(out, "M{} {}a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0 -{d} 0z",
                       place(x - std::min(right - left, bottom - top) / 2), place(y),
                       fmt::arg("r", r), fmt::arg("d", d));
        break;
    }
    case scene::Shape::diamond:
        fmt::format_to(out, "M{} {}L{} {}L{} {}L{} {}z", place(x), place(top), place(right),
                       place(y), place(x), place(bottom), place(left), place(y));
        break;
    case scene::Shape::triangle:
        fmt::format_to(out, "M{} {}L{} {}L{} {}z", place(x), place(top), place(right),
                       place(bottom), place(left), place(bottom));
        break;
    }
}

/// Draws one request in the colours of two.
class Pen {
public:
    /// `plain`: colours of `light` alone, where they are.
    Pen(const scene::FrameRequest& light, const scene::FrameRequest& dark, bool plain = false)
        : light_(light), dark_(dark), plain_(plain) {}

    std::string draw(const std::string& title, const std::string& about,
                     std::span<const SvgTip> tips) {
        svg_ = fmt::format("<svg{3} viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
                           "role=\"img\"><title>{2}</title>",
                           light_.width, light_.height, escaped(title),
                           plain_ ? " xmlns=\"http://www.w3.org/2000/svg\" font-family=\"Roboto, "
                                    "'DejaVu Sans', sans-serif\""
                                  : "");
        if (!about.empty()) svg_ += "<desc>" + escaped(about) + "</desc>";
        fmt::format_to(std::back_inserter(svg_), "<rect {} width=\"{}\" height=\"{}\"/>",
                       wash(light_.base->background, dark_.base->background), light_.width,
                       light_.height);
        draw_layers(light_.base->layers, dark_.base->layers);
        draw_layers(light_.marks, dark_.marks);
        for (const SvgTip& tip : tips) add_tip(tip);
        return svg_ + "</svg>";
    }

private:
    static std::string colours(Colour light, Colour dark) {
        return fmt::format("--l:{};--d:{}", hex(light), hex(dark));
    }
    /// A colour of an attribute, and its opacity.
    static std::string attribute(const char* name, Colour colour) {
        const int alpha = colour.a;
        colour.a = 255;
        return fmt::format("{0}=\"{1}\"", name, hex(colour)) +
               (alpha == 255 ? std::string()
                             : fmt::format(" {}-opacity=\"{:.3f}\"", name, alpha / 255.0));
    }
    [[nodiscard]] std::string wash(Colour light, Colour dark) const {
        return plain_ ? attribute("fill", light)
                      : fmt::format("class=\"wash\" style=\"{}\"", colours(light, dark));
    }
    [[nodiscard]] std::string stroke(Colour light, Colour dark, double width,
                                     const char* dashes) const {
        return fmt::format("{} stroke-width=\"{}\"{}",
                           plain_ ? "fill=\"none\" " + attribute("stroke", light)
                                  : fmt::format("class=\"ink\" style=\"{}\"", colours(light, dark)),
                           place(width),
                           *dashes == 0 ? "" : fmt::format(" stroke-dasharray=\"{}\"", dashes));
    }

    void draw_layers(const std::vector<Layer>& light, const std::vector<Layer>& dark) {
        for (std::size_t i = 0; i < light.size(); ++i) {
            const bool same = i < dark.size() && dark[i].lines.size() == light[i].lines.size() &&
                              dark[i].boxes.size() == light[i].boxes.size() &&
                              dark[i].texts.size() == light[i].texts.size();
            if (light_.camera.is_within(light[i].zooms))
                draw_layer(light[i], same ? dark[i] : light[i]);
        }
    }

    void draw_layer(const Layer& light, const Layer& dark) {
        const PixelMap map = PixelMap::of(light_, light.space);
        Paths lines, boxes;
        for (std::size_t i = 0; i < light.lines.size(); ++i)
            add_line(lines, light.lines[i], dark.lines[i].colour, map);
        for (std::size_t i = 0; i < light.boxes.size(); ++i)
            add_box(boxes, light.boxes[i], dark.boxes[i], map);
        lines.write(svg_);
        boxes.write(svg_);
        for (std::size_t i = 0; i < light.texts.size(); ++i)
            add_text(light.texts[i], dark.texts[i].colour, map);
    }

    void add_line(Paths& paths, const Line& line, Colour dark, const PixelMap& map) const {
        const scene::PixelLine p = scene::pixel_line(line, map, light_.width, light_.height);
        if (!p.visible) return;
        std::string& path = paths.of(stroke(line.colour, dark, p.width, line.dashed ? "4 3" : ""));
        fmt::format_to(std::back_inserter(path), "M{} {}L{} {}", place(p.x0), place(p.y0),
                       place(p.x1), place(p.y1));
    }

    void add_box(Paths& paths, const Box& box, const Box& dark, const PixelMap& map) const {
        const PixelBox p = scene::pixel_box(box, map, light_.width, light_.height);
        if (p.right <= 0 || p.bottom <= 0 || p.left >= light_.width || p.top >= light_.height)
            return;
        if (box.fill.a > 0) add_shape(paths.of(wash(box.fill, dark.fill)), box.shape, p, p.outline);
        if (box.hatched) {
            const bool hollow = box.outline.a > 0;
            std::string& path = paths.of(
                stroke(hollow ? box.outline : box.fill, hollow ? dark.outline : dark.fill, 1, ""));
            // Where it is wide, stripes at 45° of which the last ends in the corner.
            const double high = p.bottom - p.top, step = 6;
            const double wide = p.right - p.left, run = std::min(high, wide);
            // Elsewhere from edge to edge, or the corners would stay bare.
            for (double s = step; wide < 2 * high && s < wide + high; s += step)
                fmt::format_to(std::back_inserter(path), "M{} {}L{} {}",
                               place(s <= high ? p.left : p.left + s - high),
                               place(s <= high ? p.top + s : p.bottom),
                               place(s <= wide ? p.left + s : p.right),
                               place(s <= wide ? p.top : p.top + s - wide));
            for (double right = p.right; wide >= 2 * high && right - run >= p.left; right -= step)
                fmt::format_to(std::back_inserter(path), "M{} {}L{} {}", place(right - run),
                               place(p.bottom), place(right), place(p.top));
        }
        if (p.outline > 0)
            add_shape(paths.of(stroke(box.outline, dark.outline, p.outline, p.dashed ? "3 2" : "")),
                      box.shape, p, p.outline / 2);
    }

    void add_tip(const SvgTip& tip) {
        const PixelMap map = PixelMap::of(light_, scene::Space::world);
        const scene::Rect& r = tip.rect;
        const double left = map.x(static_cast<double>(r.x)), top = map.y(static_cast<double>(r.y));
        fmt::format_to(std::back_inserter(svg_),
                       "<rect class=\"tip\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\">"
                       "<title>{}</title></rect>",
                       place(left), place(top),
                       place(map.x(static_cast<double>(r.x + r.width)) - left),
                       place(map.y(static_cast<double>(r.y + r.height)) - top), escaped(tip.words));
    }

    void add_text(const scene::Text& text, Colour dark, const PixelMap& map) {
        const auto pixels = static_cast<double>(text.pixels);
        const double x = map.x(static_cast<double>(text.at.x)),
                     y = map.y(static_cast<double>(text.at.y));
        if (x < -200 || y < -pixels || x > light_.width + 200 || y > light_.height + pixels) return;
        const char* anchor = text.anchor == scene::Anchor::left     ? ""
                             : text.anchor == scene::Anchor::centre ? " text-anchor=\"middle\""
                                                                    : " text-anchor=\"end\"";
        // Half of a capital's height (0.71 em in Roboto) is below the position.
        const std::string look =
            plain_ ? attribute("fill", text.colour) +
                         fmt::format(" font-size=\"{}\"{}{}", place(pixels),
                                     text.face == scene::Face::medium ? " font-weight=\"500\"" : "",
                                     text.face == scene::Face::mono
                                         ? " font-family=\"'JetBrains Mono', monospace\""
                                         : "")
                   : fmt::format("class=\"word{}\" style=\"{};font-size:{}px\"",
                                 text.face == scene::Face::mono ? " mono" : "",
                                 colours(text.colour, dark), place(pixels));
        fmt::format_to(std::back_inserter(svg_), "<text {} x=\"{}\" y=\"{}\"{}>{}</text>", look,
                       place(x), place(y + 0.355 * pixels), anchor, escaped(text.utf8));
    }

    const scene::FrameRequest& light_;
    const scene::FrameRequest& dark_;
    bool plain_;
    std::string svg_;
};

} // namespace

std::string themed_svg(const scene::FrameRequest& light, const scene::FrameRequest& dark,
                       const std::string& title, const std::string& about,
                       std::span<const SvgTip> tips) {
    if (!light.base || !dark.base) return {};
    return Pen(light, dark).draw(title, about, tips);
}

std::string plain_svg(const scene::FrameRequest& request, const std::string& title,
                      const std::string& about) {
    return request.base ? Pen(request, request, true).draw(title, about, {}) : std::string();
}

} // namespace blockloom::report
