#include "scene/arc_pen.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace blockloom::scene::layout {

ArcPen::ArcPen(std::vector<Line>& lines, std::size_t arcs) : lines_(&lines) {
    while (least_step_ < 6 && arcs * (48 / least_step_) > most_pieces)
        least_step_ += least_step_ == 4 ? 2 : 1; // 1, 2, 3, 4, 6: what divides 48
    for (std::size_t i = 0; i < circle_.size(); ++i) {
        const double angle =
            std::numbers::pi * static_cast<double>(i) / static_cast<double>(circle_.size() - 1);
        circle_[i] = {static_cast<float>(-std::cos(angle)), static_cast<float>(-std::sin(angle))};
    }
}

void ArcPen::draw(float from, float to, float height, Colour colour, float width) const {
    const float middle = (from + to) / 2, radius = (to - from) / 2;
    const std::size_t by_reach = radius > 30 ? 1 : radius > 12 ? 2 : radius > 4 ? 4 : 6; // of 48
    const std::size_t step = std::max(by_reach, least_step_);
    Point before{from, 0};
    for (std::size_t i = step; i < circle_.size(); i += step) {
        const Point here{middle + circle_[i].x * radius, circle_[i].y * height};
        lines_->push_back({before, here, colour, width, false});
        before = here;
    }
}

float arc_height(float distance, float longest) noexcept {
    return highest_arc * std::pow(distance / std::max(longest, 1.0F), 0.62F);
}

float longest_reach(const conflict::ConflictIndex& index) noexcept {
    conflict::TaskId longest = 1;
    for (conflict::TaskId t = 0; t < index.tasks(); ++t)
        for (const conflict::TaskId p : index.predecessors_of(t))
            longest = std::max(longest, t - p);
    return static_cast<float>(longest);
}

} // namespace blockloom::scene::layout
