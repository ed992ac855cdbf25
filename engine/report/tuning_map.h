// The times of a sweep over two of its dimensions, as a heat map with words for each cell.
#pragma once

#include "runs/tuning_views.h"
#include "scene/heat_map.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace blockloom::report {

/// Names, units, and points with a meaning of their own.
struct TuningMapOptions {
    std::string x_title, y_title;
    std::vector<std::string> x, y;                                  ///< names of columns and rows
    std::function<std::string(double nanoseconds)> text, with_unit; ///< "0.164", "0.164 µs"
    std::optional<std::size_t> best, measuring, chosen;             ///< points of the sweep
};

struct TuningCells {
    scene::HeatMap map;                            ///< the fastest time is at the end of the ramp
    std::vector<std::string> words;                ///< one per cell
    std::optional<std::pair<double, double>> ends; ///< slowest and fastest; none: no times
    bool best = false, band = false; ///< whether the best point, or one of the band, is on the map
};

[[nodiscard]] TuningCells tuning_cells(const runs::HeatMap& map, const TuningMapOptions& options);

} // namespace blockloom::report
