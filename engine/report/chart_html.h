// A chart as a figure in a self-contained page: light and dark, no scripts.
#pragma once

#include "charts/chart.h"

#include <string>

namespace blockloom::report {

/// With its caption, then a paragraph for each thing the chart leaves out. Sizes in pixels; a chart
/// of rows takes the height it needs.
[[nodiscard]] std::string chart_figure(const charts::Chart& chart, const std::string& caption,
                                       float width, float height = 240);

} // namespace blockloom::report
