// A chart as plain data: what is shown, not how. The window draws it with Qt Charts (ui/charts),
// documents draw it as a display list (charts/picture.h); both show the same series, bands and
// labels.
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

/// Meaning and range of an axis. `from` < `to`; above 0 on a logarithmic scale.
struct Axis {
    std::string title; ///< with its unit: "time, ms"
    double from = 0, to = 1;
    Scale scale = Scale::linear;
    std::string (*text)(double) = nullptr; ///< formats a value; null: three significant digits
    std::vector<Tick> named;               ///< positions with names; then there are no other marks
    bool unmarked = false;                 ///< no ticks at all: the series show their values
    friend bool operator==(const Axis&, const Axis&) = default;
};

enum class Kind : std::uint8_t {
    line,
    step,  ///< a value holds until the next point
    bars,  ///< at one position each; bars of several series stack where their ends meet
    points ///< marks
};

enum class Mark : std::uint8_t { circle, square, diamond, triangle, dash };

struct Point {
    double x = 0, y = 0;
    double from = 0;                           ///< bars: the other end, `from` <= `y`
    std::optional<profile::Interval> interval; ///< of y: an error bar
    std::string words;                         ///< its tooltip; empty: none
    std::size_t id = 0;                        ///< of what it shows, for handlers of clicks
    friend bool operator==(const Point&, const Point&) = default;
};

/// Predicted: hollow and dashed. Hatched: serial. Neither is shown by colour alone.
struct Series {
    std::string name; ///< in the table, and in the legend unless the chart has its own
    Kind kind = Kind::line;
    Ink ink = &scene::Theme::accent;
    Mark mark = Mark::circle;
    float width = 2; ///< of a line, in pixels
    bool predicted = false;
    bool hatched = false;
    bool outlined = false;  ///< bars: measured, but drawn as an outline
    bool filled = false;    ///< line, step: with the area down to the axis
    float bar_width = 0.8F; ///< share of a position's width
    bool ramp = false;      ///< bars: coloured along the theme's ramp, in their order, not by `ink`
    std::vector<Point> points;
    friend bool operator==(const Series&, const Series&) = default;
};

/// A range of one axis across the whole other axis: an optimum, a pause, a limit (from == to: a
/// line).
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
        near,   ///< beside (x, y), where it covers nothing; left out if there is no room
        listed, ///< the same for several labels of one place: one below the other
        inside, ///< centred between `from` and y of a bar; only if the bar is seen on both sides
        after,  ///< after the end of a bar; without room there, before its beginning
        corner  ///< begins at (x, y), on top of everything
    };
    double x = 0, y = 0;
    std::string text;
    Ink ink = &scene::Theme::text2;
    bool strong = false;
    Where where = Where::near;
    double from = 0; ///< inside, after: the other end of the bar
    friend bool operator==(const Label&, const Label&) = default;
};

struct LegendItem {
    scene::OverlayLegend::Sign sign = scene::OverlayLegend::Sign::line;
    Ink ink = &scene::Theme::text2;
    std::string label;
    friend bool operator==(const LegendItem&, const LegendItem&) = default;
};

struct Chart {
    std::string title;   ///< its name
    std::string summary; ///< the whole chart in words, for screen readers
    Axis x, y;
    /// Horizontal bars: positions from top to bottom at the left, values to the right.
    bool rows = false;
    std::vector<Series> series;
    std::vector<Band> bands;
    std::vector<Label> labels;
    std::vector<LegendItem> legend; ///< empty: made from the series
    /// Why something that one might expect is not drawn, one sentence each.
    std::vector<std::string> left_out;
    std::shared_ptr<const scene::ViewTable> table; ///< null: charts::table_of() makes one

    [[nodiscard]] bool empty() const noexcept { return series.empty(); }
};

/// Legend entries in the colours of a theme.
[[nodiscard]] std::vector<scene::OverlayLegend> legend_of(const Chart& chart,
                                                          const scene::Theme& theme);

} // namespace blockloom::charts
