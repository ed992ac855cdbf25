// Fewer points that look the same: a screen shows two values a column of pixels.
#pragma once

#include "charts/chart.h"

#include <span>

namespace blockloom::charts {

/// Of points in ascending x: those between `from` and `to`, with one more at each side, so that a
/// line leaves the picture as it should. Above two a column only the lowest and the highest of each
/// of `columns` remain, in their order: at most 2 · columns + 2.
[[nodiscard]] std::vector<Point> decimated(std::span<const Point> points, double from, double to,
                                           std::size_t columns);

} // namespace blockloom::charts
