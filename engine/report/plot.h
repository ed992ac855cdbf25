// The parts of a small chart as a display list: axes, curves that stay dashed, labels that keep out
// of each other's way. Private to the report room.
#pragma once

#include "scene/display_list.h"
#include "scene/theme.h"

#include <functional>
#include <string>
#include <vector>

namespace blockloom::report {

/// One axis: values from `from` to `to` on pixels from `begin` to `end`.
struct PlotAxis {
    double from = 0, to = 1;
    float begin = 0, end = 1;
    bool logarithmic = false;

    [[nodiscard]] float at(double value) const;
    /// Doublings, or round steps; at most about `most`.
    [[nodiscard]] std::vector<double> ticks(std::size_t most) const;
};

/// A label and where it wants to stand: beside its anchor.
struct PlotLabel {
    scene::Point at;
    std::string text;
    scene::Colour colour;
    scene::Face face = scene::Face::text;
};

class Plot {
public:
    Plot(const scene::Theme& theme, PlotAxis x, PlotAxis y);

    PlotAxis x, y;

    void grid(const std::vector<double>& x_ticks, const std::vector<double>& y_ticks,
              const std::function<std::string(double)>& x_text,
              const std::function<std::string(double)>& y_text, const std::string& x_name,
              const std::string& y_name);
    /// A function over [from, to] of x, cut at the plot's edges.
    void curve(const std::function<double(double)>& value, double from, double to,
               scene::Colour colour, float width, bool dashed);
    /// Dashes as long as the line is strong.
    void line(scene::Point from, scene::Point to, scene::Colour colour, float width, bool dashed);
    /// Pixels, with an interval of y where there is one. Hollow: an estimate.
    void mark(scene::Point at, scene::Shape shape, scene::Colour colour, float low, float high,
              bool hollow = false);
    /// A horizontal line as a mark: the serial reference.
    void dash_mark(scene::Point at, scene::Colour colour);
    void box(scene::Box box) { marks_.boxes.push_back(box); }
    /// Placed last, first come first served, where they can not even over a curve; what finds no
    /// room is left out.
    void label(PlotLabel label) { labels_.push_back(std::move(label)); }
    /// A text at its place, that labels keep away from.
    void text(scene::Text text);

    [[nodiscard]] scene::DisplayList finish(float width, float height, std::string summary) &&;

private:
    /// False: no room.
    bool place(const PlotLabel& label, float width, float height, bool over_curves);

    const scene::Theme& theme_;
    scene::Layer ground_, curves_, marks_;
    std::vector<PlotLabel> labels_;
    std::vector<scene::Rect> taken_;   ///< by texts and marks
    std::vector<scene::Rect> crossed_; ///< by curves
};

/// How wide a text comes out, about; on the safe side.
[[nodiscard]] float plot_text_width(const std::string& utf8, float pixels) noexcept;

} // namespace blockloom::report
