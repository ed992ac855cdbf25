// A chart as plain data: what is shown, not how. The window draws it with Qt Charts (ui/charts),
// documents as a display list (charts/picture.h); both show the same series, bands and labels.
#pragma once

#include "profile/bootstrap.h"
#include "scene/display_list.h"
#include "scene/overlay.h"
#include "scene/theme.h"
#include "scene/view_table.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace blockloom::charts {

/// A colour by its role in the theme, so that one chart follows dark and light.
using Ink = scene::Colour scene::Theme::*;

enum class Scale : std::uint8_t {
    linear,
    doublings, ///< logarithmic, marked at powers of two
    decades    ///< logarithmic, marked at 1, 2 and 5 times powers of ten
};

struct Tick {
    double at = 0;
    std::string label;
    friend bool operator==(const Tick&, const Tick&) = default;
};

/// What an axis means and how far it goes. `from` < `to`; above 0 on a logarithmic scale.
struct Axis {
    std::string title; ///< with its unit: "time, ms"
    double from = 0, to = 1;
    Scale scale = Scale::linear;
    std::string (*text)(double) = nullptr; ///< of a value; null: three significant digits
    std::vector<Tick> named;               ///< places with names of their own; then no others
    bool unmarked = false;                 ///< no ticks at all: series say their values themselves
    friend bool operator==(const Axis&, const Axis&) = default;
};

enum class Kind : std::uint8_t {
    line,
    step,  ///< a value holds until the next point
    bars,  ///< of one place each; bars of several series stack where their ends meet
    points ///< marks
};

enum class Mark : std::uint8_t { circle, square, diamond, triangle, dash };

struct Point {
    double x = 0, y = 0;
    double from = 0;                           ///< bars: the other end, `from` <= `y`
    std::optional<profile::Interval> interval; ///< of y: an error bar
    std::string words;                         ///< what it says of itself; empty: it says nothing
    std::size_t id = 0;                        ///< of what it shows, for whoever listens to clicks
    friend bool operator==(const Point&, const Point&) = default;
};

/// Predicted: hollow and dashed. Hatched: serial. Both are never said by colour alone.
struct Series {
    std::string name; ///< in the table and, unless `legend` of the chart has entries, the legend
    Kind kind = Kind::line;
    Ink ink = &scene::Theme::accent;
    Mark mark = Mark::circle;
    float width = 2; ///< pixels of a line
    bool predicted = false;
    bool hatched = false;
    bool outlined = false;  ///< bars: measured, but only their outline
    bool filled = false;    ///< line, step: the area down to the axis too
    float bar_width = 0.8F; ///< share of a place
    std::vector<Point> points;
    friend bool operator==(const Series&, const Series&) = default;
};

/// A stretch of one axis, over all of the other: an optimum, a pause, a limit (from == to: a line).
struct Band {
    bool of_x = true;
    double from = 0, to = 0;
    Ink ink = &scene::Theme::accent;
    bool hatched = false;
    std::string label;
    friend bool operator==(const Band&, const Band&) = default;
};

/// A text in the chart.
struct Label {
    enum class Where : std::uint8_t {
        near,   ///< beside (x, y), where it covers nothing; left out where there is no room
        inside, ///< in the middle of [x, y] along the values at place `place`; only if it fits
        after,  ///< behind the end of a bar
        corner  ///< begins at (x, y), over everything
    };
    double x = 0, y = 0;
    std::string text;
    Ink ink = &scene::Theme::text2;
    bool strong = false;
    Where where = Where::near;
    double from = 0; ///< inside: the other end of the bar
    friend bool operator==(const Label&, const Label&) = default;
};

struct LegendItem {
    scene::OverlayLegend::Sign sign = scene::OverlayLegend::Sign::line;
    Ink ink = &scene::Theme::text2;
    std::string label;
    friend bool operator==(const LegendItem&, const LegendItem&) = default;
};

struct Chart {
    std::string title;   ///< what it is called
    std::string summary; ///< all of it in words, for a screen reader
    Axis x, y;
    /// Bars lie: places from the top down at the left, values to the right.
    bool rows = false;
    std::vector<Series> series;
    std::vector<Band> bands;
    std::vector<Label> labels;
    std::vector<LegendItem> legend; ///< empty: made from the series
    /// Why something that one might expect is not drawn, a sentence each.
    std::vector<std::string> left_out;
    std::shared_ptr<const scene::ViewTable> table; ///< null: charts::table_of() makes one

    [[nodiscard]] bool empty() const noexcept { return series.empty(); }
};

/// Signs and labels in the colours of a theme.
[[nodiscard]] std::vector<scene::OverlayLegend> legend_of(const Chart& chart,
                                                          const scene::Theme& theme);

} // namespace blockloom::charts
