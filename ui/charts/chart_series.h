// Qt Charts series that show the series of a chart. Places are those of charts/axis.h.
#pragma once

#include "charts/chart.h"

#include <QPointF>

#include <functional>
#include <vector>

class QAbstractSeries;

namespace blockloom::ui {

/// Maps values to coordinates for Qt Charts.
using ChartPlace = std::function<QPointF(double x, double y)>;

/// Whether the same Qt objects can show either chart.
[[nodiscard]] bool same_shape(const charts::Chart& a, const charts::Chart& b);

/// Qt series for one series of lines, steps or points, still without points; none for bars and
/// dashes.
[[nodiscard]] std::vector<QAbstractSeries*> make_series(const charts::Series& series);
/// Fills in the points between two x values, at most two per column of pixels.
void fill_series(const std::vector<QAbstractSeries*>& drawn, const charts::Series& series,
                 const ChartPlace& place, double from, double to, std::size_t columns);
/// Applies the theme's colours and strokes.
void wear_series(const std::vector<QAbstractSeries*>& drawn, const charts::Series& series);

/// One stacked series for all bars of a chart, with invisible bars under those that float; null: it
/// has none.
[[nodiscard]] QAbstractSeries* make_bars(const charts::Chart& chart);
void wear_bars(QAbstractSeries* bars, const charts::Chart& chart, qreal pixel_ratio);

} // namespace blockloom::ui
