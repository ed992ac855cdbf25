// Fewer points that look the same: a screen shows two values per column of pixels.
#pragma once

#include "charts/chart.h"

#include <span>

namespace blockloom::charts {

/// From points in ascending x: those between `from` and `to`, with one more on each side, so that a
/// line leaves the picture correctly. With more than two per column, only the lowest and the
/// highest of each column remain, in order: at most 2 · `columns` + 2.
[[nodiscard]] std::vector<Point> decimated(std::span<const Point> points, double from, double to,
                                           std::size_t columns);

} // namespace blockloom::charts
