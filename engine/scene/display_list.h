// What a view draws, as plain data: made once by a layout, drawn by either sink (Vulkan image or
// Cairo).
#pragma once

#include "scene/colour.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace blockloom::scene {

struct Point {
    float x = 0, y = 0;
};

struct Rect {
    float x = 0, y = 0, width = 0, height = 0;
    [[nodiscard]] bool contains(Point p) const noexcept {
        return p.x >= x && p.y >= y && p.x < x + width && p.y < y + height;
    }
};

/// Where coordinates live. World: under the camera (pan and zoom). Screen: pixels of the image, for
/// legends and axes.
enum class Space : std::uint8_t { world, screen };

enum class Shape : std::uint8_t { square, circle, diamond, triangle };

/// A filled and outlined box or mark. Marks keep their size in pixels whatever the zoom (`pixels`),
/// boxes scale.
struct Box {
    Rect rect;               ///< marks: x, y is the centre, width and height are pixels
    Colour fill, outline;    ///< alpha 0: none
    float outline_width = 0; ///< pixels
    Shape shape = Shape::square;
    bool mark = false;
    bool dashed = false; ///< predicted (visual.md): hollow, dashed outline
    bool hatched = false;
};

struct Line {
    Point from, to;
    Colour colour;
    float width = 1; ///< pixels
    bool dashed = false;
};

enum class Anchor : std::uint8_t { left, centre, right };
enum class Face : std::uint8_t { text, medium, mono };

struct Text {
    Point at; ///< the anchor, on the baseline's middle
    std::string utf8;
    Colour colour;
    float pixels = 11;
    Anchor anchor = Anchor::left;
    Face face = Face::text;
};

/// One layer, drawn lines first, then boxes, then texts.
struct Layer {
    Space space = Space::world;
    std::vector<Line> lines;
    std::vector<Box> boxes;
    std::vector<Text> texts;
};

/// What can be picked: a task or a key at a place in the world. Searched by a grid, so tens of
/// thousands are fine.
struct PickTarget {
    Rect bounds; ///< world; marks have size 0 and are found within a few pixels
    std::optional<std::uint32_t> task, key;
};

/// How much of the data a list draws: always visible in the view ("Drawing 922 of 1,113 edges").
struct Coverage {
    std::uint64_t drawn_edges = 0, all_edges = 0;
    std::string folded; ///< "107 small groups folded", or empty
};

/// Immutable once made; shared with the render thread.
struct DisplayList {
    Colour background;
    Rect world; ///< what "fit" shows
    std::vector<Layer> layers;
    std::vector<PickTarget> targets;
    Coverage coverage;
    std::string summary; ///< one sentence for a screen reader
};

} // namespace blockloom::scene
