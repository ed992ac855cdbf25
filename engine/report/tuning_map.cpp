#include "report/tuning_map.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace blockloom::report {
namespace {

using Cell = runs::HeatMap::Cell;

std::optional<std::pair<double, double>> ends_of(const runs::HeatMap& map) {
    std::optional<std::pair<double, double>> found;
    for (const Cell& cell : map.cells) {
        if (cell.median <= 0) continue;
        if (!found) found = {cell.median, cell.median};
        found->first = std::max(found->first, cell.median);
        found->second = std::min(found->second, cell.median);
    }
    return found;
}

/// On a logarithmic scale from the slowest, 0, to the fastest, 1.
double share_of(double time, const std::pair<double, double>& ends) {
    if (ends.first <= ends.second) return 1;
    return (std::log(ends.first) - std::log(time)) / (std::log(ends.first) - std::log(ends.second));
}

std::string words_of(const Cell& cell, const TuningMapOptions& options, std::size_t column,
                     std::size_t row) {
    std::string words = fmt::format("{} {}, {} {}: ", options.x_title, options.x[column],
                                    options.y_title, options.y[row]);
    if (cell.median <= 0) return words + "unknown";
    words += options.with_unit(cell.median);
    words += cell.predicted ? " predicted" : " measured";
    if (options.best == cell.point)
        words += ", the best point";
    else if (cell.in_band)
        words += ", not significantly different from the best";
    if (options.measuring == cell.point) words += ", being measured";
    return words;
}

} // namespace

TuningCells tuning_cells(const runs::HeatMap& map, const TuningMapOptions& options) {
    TuningCells made;
    made.map.x = options.x;
    made.map.y = options.y;
    made.map.x_title = options.x_title;
    made.map.y_title = options.y_title;
    made.ends = ends_of(map);
    for (std::size_t i = 0; i < map.cells.size(); ++i) {
        const Cell& cell = map.cells[i];
        scene::HeatCell drawn;
        made.words.push_back(words_of(cell, options, i % map.x.size(), i / map.x.size()));
        if (cell.median > 0) {
            drawn.share = share_of(cell.median, *made.ends);
            drawn.text = options.text(cell.median);
            drawn.predicted = cell.predicted;
            drawn.best = options.best == cell.point;
            drawn.in_band = cell.in_band;
            drawn.busy = options.measuring == cell.point;
            if (options.chosen == cell.point && !made.map.chosen) made.map.chosen = i;
            made.best = made.best || (drawn.best && !cell.predicted);
            if (!made.map.summary.empty()) made.map.summary += '\n';
            made.map.summary += made.words.back();
        }
        made.band = made.band || cell.in_band;
        made.map.cells.push_back(std::move(drawn));
    }
    return made;
}

} // namespace blockloom::report
