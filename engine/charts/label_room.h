// Where labels find room beside what they name: the same way in the window and in documents.
#pragma once

#include "scene/display_list.h"

#include <optional>
#include <string>
#include <vector>

namespace blockloom::charts {

/// Texts and marks take their place for themselves; curves give way where nothing else is free.
class LabelRoom {
public:
    /// Labels stay within `frame`.
    explicit LabelRoom(scene::Rect frame) : frame_(frame) {}

    void take(scene::Rect rect) { taken_.push_back(rect); }
    /// A line from one point to another.
    void cross(scene::Point from, scene::Point to);
    /// The left end of a text that wants to stand at `at`, at half of its height: beside it, else
    /// above or below, nearer before farther. None: there is no room.
    [[nodiscard]] std::optional<scene::Point> place(scene::Point at, float width);

private:
    [[nodiscard]] bool fits(const scene::Rect& box, bool over_curves) const;

    scene::Rect frame_;
    std::vector<scene::Rect> taken_, crossed_;
};

} // namespace blockloom::charts
