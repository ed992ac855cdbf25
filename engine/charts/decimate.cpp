#include "charts/decimate.h"

#include <algorithm>

namespace blockloom::charts {

std::vector<Point> decimated(std::span<const Point> points, double from, double to,
                             std::size_t columns) {
    const auto before = [](const Point& point, double x) { return point.x < x; };
    auto first = std::lower_bound(points.begin(), points.end(), from, before);
    auto last = std::upper_bound(points.begin(), points.end(), to,
                                 [](double x, const Point& point) { return x < point.x; });
    if (first != points.begin()) --first;
    if (last != points.end()) ++last;
    const std::span<const Point> shown(first, last);
    columns = std::max<std::size_t>(columns, 1);
    if (shown.size() <= 2 * columns + 2) return {shown.begin(), shown.end()};
    std::vector<Point> kept{shown.front()};
    const std::span<const Point> inner = shown.subspan(1, shown.size() - 2);
    const double wide = (inner.back().x - inner.front().x) / static_cast<double>(columns);
    for (std::size_t at = 0; at < inner.size();) {
        const auto column = [&](const Point& point) {
            return wide > 0 ? std::min(static_cast<std::size_t>((point.x - inner.front().x) / wide),
                                       columns - 1)
                            : 0;
        };
        const std::size_t here = column(inner[at]);
        std::size_t low = at, high = at, end = at;
        for (; end < inner.size() && column(inner[end]) == here; ++end) {
            if (inner[end].y < inner[low].y) low = end;
            if (inner[end].y > inner[high].y) high = end;
        }
        kept.push_back(inner[std::min(low, high)]);
        if (low != high) kept.push_back(inner[std::max(low, high)]);
        at = end;
    }
    kept.push_back(shown.back());
    return kept;
}

} // namespace blockloom::charts
