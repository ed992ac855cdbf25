// Finds what is under the pointer with a uniform grid over the targets.
#include "scene/layout.h"
#include "scene/views.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace blockloom::scene {
namespace {

struct Cells {
    std::uint32_t from_column, to_column, from_row, to_row; ///< both ends included
};

std::uint32_t cell_of(float at, float from, float extent, std::uint32_t cells) noexcept {
    if (extent <= 0 || cells < 2) return 0;
    const float part = (at - from) / extent * static_cast<float>(cells);
    return static_cast<std::uint32_t>(std::clamp(part, 0.0F, static_cast<float>(cells - 1)));
}

Cells cells_of(const PickGrid& grid, const Rect& r) noexcept {
    const auto column = [&](float x) {
        return cell_of(x, grid.area.x, grid.area.width, grid.columns);
    };
    const auto row = [&](float y) { return cell_of(y, grid.area.y, grid.area.height, grid.rows); };
    return {column(r.x), column(r.x + r.width), row(r.y), row(r.y + r.height)};
}

template <typename Visit> void each_cell(const PickGrid& grid, const Rect& r, Visit visit) {
    const Cells c = cells_of(grid, r);
    for (std::uint32_t y = c.from_row; y <= c.to_row; ++y)
        for (std::uint32_t x = c.from_column; x <= c.to_column; ++x) visit(y * grid.columns + x);
}

/// The best target so far: the smallest box that contains the point, else the nearest mark.
class Best {
public:
    Best(Point at, float reach_x, float reach_y) noexcept
        : at_(at), reach_x_(reach_x), reach_y_(reach_y) {}

    void offer(const PickTarget& target) noexcept {
        const Rect& r = target.bounds;
        if (r.width > 0 && r.height > 0) {
            if (!r.contains(at_)) return;
            const float area = r.width * r.height;
            if (box_ == nullptr || area < area_) box_ = &target, area_ = area;
            return;
        }
        if (reach_x_ <= 0 || reach_y_ <= 0) return;
        const float dx = (r.x - at_.x) / reach_x_, dy = (r.y - at_.y) / reach_y_;
        const float distance = dx * dx + dy * dy;
        if (distance > 1 || (mark_ != nullptr && distance >= distance_)) return;
        mark_ = &target;
        distance_ = distance;
    }
    [[nodiscard]] const PickTarget* target() const noexcept {
        return box_ != nullptr ? box_ : mark_;
    }

private:
    Point at_;
    float reach_x_, reach_y_;
    const PickTarget *box_ = nullptr, *mark_ = nullptr;
    float area_ = 0, distance_ = 0;
};

} // namespace

const PickTarget* pick(const DisplayList& list, Point world, float reach_x, float reach_y) {
    Best best(world, reach_x, reach_y);
    const PickGrid& grid = list.grid;
    if (grid.begin.empty()) {
        for (const PickTarget& target : list.targets) best.offer(target);
        return best.target();
    }
    const float x = std::max(reach_x, 0.0F), y = std::max(reach_y, 0.0F);
    each_cell(grid, {world.x - x, world.y - y, 2 * x, 2 * y}, [&](std::uint32_t cell) {
        for (std::uint32_t i = grid.begin[cell]; i < grid.begin[cell + 1]; ++i)
            best.offer(list.targets[grid.items[i]]);
    });
    return best.target();
}

namespace layout {

void finish(DisplayList& list, std::uint32_t tasks, std::uint32_t columns, std::uint32_t rows,
            Rect area) {
    list.task_target.assign(tasks, no_target);
    for (std::uint32_t i = 0; i < list.targets.size(); ++i) {
        const auto& task = list.targets[i].task;
        if (task && *task < tasks && list.task_target[*task] == no_target)
            list.task_target[*task] = i;
    }
    PickGrid grid;
    grid.area = area.width > 0 ? area : list.world;
    grid.columns = columns;
    grid.rows = rows;
    grid.begin.assign(std::size_t{columns} * rows + 1, 0);
    for (const PickTarget& t : list.targets)
        each_cell(grid, t.bounds, [&](std::uint32_t cell) { ++grid.begin[cell + 1]; });
    std::partial_sum(grid.begin.begin(), grid.begin.end(), grid.begin.begin());
    grid.items.resize(grid.begin.back());
    std::vector<std::uint32_t> next(grid.begin.begin(), grid.begin.end() - 1);
    for (std::uint32_t i = 0; i < list.targets.size(); ++i)
        each_cell(grid, list.targets[i].bounds,
                  [&](std::uint32_t cell) { grid.items[next[cell]++] = i; });
    list.grid = std::move(grid);
}

} // namespace layout
} // namespace blockloom::scene
