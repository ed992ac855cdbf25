// Placement of labels beside what they name: the same in the window and in documents.
#pragma once

#include "scene/display_list.h"

#include <optional>
#include <string>
#include <vector>

namespace blockloom::charts {

/// Pixels of a bar that must be seen beside a name inside it, left and right together.
inline constexpr int beside_name = 32;

/// Where a label begins, at half height.
struct LabelPlace : scene::Point {
    bool covers = false; ///< a curve or a line passes here: the label needs a ground
};

/// Texts and marks occupy their places; a label may cover a curve only if nothing else is free.
class LabelRoom {
public:
    /// Labels stay within `frame`.
    explicit LabelRoom(scene::Rect frame) : frame_(frame) {}

    void take(scene::Rect rect) { taken_.push_back(rect); }
    /// Adds a line from one point to another.
    void cross(scene::Point from, scene::Point to);
    /// The left end, at half height, of a text near `at`: beside it, else above or below, nearer
    /// before farther. None: there is no room.
    [[nodiscard]] std::optional<LabelPlace> place(scene::Point at, float width);
    /// Beside `at`, below what is listed there already: on the right, else on the left.
    [[nodiscard]] std::optional<LabelPlace> list(scene::Point at, float width);

private:
    [[nodiscard]] bool fits(const scene::Rect& box, bool over_curves) const;

    scene::Rect frame_;
    std::vector<scene::Rect> taken_, crossed_;
};

} // namespace blockloom::charts
