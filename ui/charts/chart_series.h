// The series of Qt Charts that show those of a chart. Places are those of charts/axis.h.
#pragma once

#include "charts/chart.h"

#include <QPointF>

#include <functional>
#include <vector>

class QAbstractSeries;

namespace blockloom::ui {

/// From values to where Qt Charts shall have them.
using ChartPlace = std::function<QPointF(double x, double y)>;

/// Nothing of it needs to be made again when one is shown in place of the other.
[[nodiscard]] bool same_shape(const charts::Chart& a, const charts::Chart& b);

/// What shows one series of lines, steps or points: none for bars and dashes. Without points yet.
[[nodiscard]] std::vector<QAbstractSeries*> make_series(const charts::Series& series);
/// Its points between two x, two a column of pixels at most.
void fill_series(const std::vector<QAbstractSeries*>& drawn, const charts::Series& series,
                 const ChartPlace& place, double from, double to, std::size_t columns);
/// Colours and strokes of the theme.
void wear_series(const std::vector<QAbstractSeries*>& drawn, const charts::Series& series);

/// One stack of all bars of a chart, with invisible bars under those that float; null: it has none.
[[nodiscard]] QAbstractSeries* make_bars(const charts::Chart& chart);
void wear_bars(QAbstractSeries* bars, const charts::Chart& chart, qreal pixel_ratio);

} // namespace blockloom::ui
