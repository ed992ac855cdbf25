// What a view draws, as plain data: made once by a layout, drawn by either renderer (Vulkan or
// Cairo).
#pragma once

#include "scene/colour.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace blockloom::scene {

struct Point {
    float x = 0, y = 0;
    friend bool operator==(const Point&, const Point&) = default;
};

struct Rect {
    float x = 0, y = 0, width = 0, height = 0;
    [[nodiscard]] bool contains(Point p) const noexcept {
        return p.x >= x && p.y >= y && p.x < x + width && p.y < y + height;
    }
    friend bool operator==(const Rect&, const Rect&) = default;
};

/// The space of coordinates. World: under the camera (pan and zoom). Screen: pixels of the image,
/// for legends and axes.
enum class Space : std::uint8_t { world, screen };

enum class Shape : std::uint8_t { square, circle, diamond, triangle };

/// A filled and outlined box or mark. Marks keep their size in pixels at any zoom, boxes scale.
/// Edges are on whole device pixels, and a box is never thinner than one; the outline is inside the
/// edges. Under 6 px a dashed outline is drawn solid (hollow boxes stay hollow).
struct Box {
    Rect rect;               ///< marks: x, y is the centre, width and height are pixels
    Colour fill, outline;    ///< alpha 0: none
    float outline_width = 0; ///< pixels
    Shape shape = Shape::square;
    bool mark = false;
    bool dashed = false;  ///< predicted (docs/architecture.md#the-look): hollow, dashed outline
    bool hatched = false; ///< diagonal stripes in the outline's colour, else in a darker fill
    friend bool operator==(const Box&, const Box&) = default;
};

/// A straight line with flat ends. Exactly vertical or horizontal lines are on whole device pixels.
struct Line {
    Point from, to;
    Colour colour;
    float width = 1; ///< pixels
    bool dashed = false;
    friend bool operator==(const Line&, const Line&) = default;
};

enum class Anchor : std::uint8_t { left, centre, right };
enum class Face : std::uint8_t { text, medium, mono };

struct Text {
    /// The anchor: the text's left end, middle or right end (`anchor`), at half the height of
    /// capitals.
    Point at;
    std::string utf8;
    Colour colour;
    float pixels = 11;
    Anchor anchor = Anchor::left;
    Face face = Face::text;
    friend bool operator==(const Text&, const Text&) = default;
};

/// Scales of a camera in pixels per world unit; the smaller one of both axes counts.
struct ZoomRange {
    float from = 0, below = std::numeric_limits<float>::infinity();
    friend bool operator==(const ZoomRange&, const ZoomRange&) = default;
};

/// A layer: lines are drawn first, then boxes, then texts.
struct Layer {
    Space space = Space::world;
    std::vector<Line> lines;
    std::vector<Box> boxes;
    std::vector<Text> texts;
    float shift = 0; ///< pixels to the right of these positions, at any zoom
    ZoomRange zooms; ///< where it is drawn: more room can have more labels
    friend bool operator==(const Layer&, const Layer&) = default;
};

/// A task or a key that can be picked, at a position in the world. Found with a grid, so tens of
/// thousands are fine.
struct PickTarget {
    Rect bounds; ///< world; marks have size 0 and are picked within a few pixels
    std::optional<std::uint32_t> task, key;
};

/// How much of the data a list draws, always shown in the view ("Drawing 922 of 1,113 edges").
struct Coverage {
    std::uint64_t drawn_edges = 0, all_edges = 0;
    std::string unit = "edges"; ///< what is counted: edges, pairs, accesses, bars
    std::string folded;         ///< "107 small groups not drawn", or empty
};

/// The position of the bars of a lane in a Gantt chart, in world units.
struct Lane {
    float top = 0, height = 0;
    [[nodiscard]] float middle() const noexcept { return top + height / 2; }
    friend bool operator==(const Lane&, const Lane&) = default;
};

/// Positions in a Gantt chart; time 0 is x 0.
struct GanttPlaces {
    float run_end = 0;           ///< world x of the (longer) makespan
    std::vector<Lane> predicted; ///< one per worker, from top to bottom
    std::vector<Lane> measured;  ///< below them; one per lane of the measured schedule
};

/// Buckets over `area` in CSR form: bucket (column, row) lists the targets that touch it. Made by
/// the layouts, read by `pick`; a list without a grid is searched completely.
struct PickGrid {
    Rect area;
    std::uint32_t columns = 0, rows = 0;
    std::vector<std::uint32_t> begin; ///< columns × rows + 1 entries, row by row
    std::vector<std::uint32_t> items; ///< indices into DisplayList::targets
};
inline constexpr std::uint32_t no_target = 0xFFFFFFFF;

/// Immutable; shared with the render thread.
struct DisplayList {
    Colour background;
    Rect world; ///< what "fit" shows
    std::vector<Layer> layers;
    std::vector<PickTarget> targets;
    Coverage coverage;
    std::string summary; ///< one sentence for a screen reader

    bool keep_aspect = false; ///< "fit" scales both axes equally (matrix); else it fills the canvas
    /// Matrix with diagonal blocks: conflicts inside a batch, 0 for a correct batching. None
    /// elsewhere.
    std::optional<std::uint64_t> marks_inside_blocks;
    GanttPlaces gantt; ///< empty elsewhere
    PickGrid grid;
    std::vector<std::uint32_t> task_target; ///< one per task: its target, or no_target if folded
};

} // namespace blockloom::scene
