// How an arc diagram draws an edge. Private to the scene room.
#pragma once

#include "scene/layout.h"

#include <array>
#include <vector>

namespace blockloom::scene::layout {

inline constexpr float highest_arc = canvas_height - 40;

/// Half an ellipse over [from, to] as a polyline: 8 to 48 pieces, depending on its width and so
/// that about `arcs` arcs stay within `most_pieces`.
class ArcPen {
public:
    static constexpr std::size_t most_pieces = 100'000;

    explicit ArcPen(std::vector<Line>& lines, std::size_t arcs = 1);
    void draw(float from, float to, float height, Colour colour, float width) const;

private:
    std::array<Point, 49> circle_;
    std::vector<Line>* lines_;
    std::size_t least_step_ = 1; ///< of 48
};

/// The height of an arc over `distance` tasks if the longest spans `longest`: less than
/// proportional, so that short arcs are visible next to long ones.
[[nodiscard]] float arc_height(float distance, float longest) noexcept;

/// The longest dependency distance of a block, at least 1.
[[nodiscard]] float longest_reach(const conflict::ConflictIndex& index) noexcept;

} // namespace blockloom::scene::layout
