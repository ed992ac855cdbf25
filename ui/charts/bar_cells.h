// Table cells with a small chart: the engine lays its bars out (report/cell_bars.h).
#pragma once

#include "look/cells.h"

namespace blockloom::ui {

/// SparklineRole: bars on a log scale in the ordinal ramp; DetailRole as text where there is none.
class SparklineCell final : public Cell {
    Q_OBJECT

public:
    using Cell::Cell;

protected:
    void draw(QPainter& painter, const QStyleOptionViewItem& option,
              const QModelIndex& index) const override;
};

/// BarRole on a log scale at the left, display text at the right. Predicted: dashed and hollow.
class BarCell final : public Cell {
    Q_OBJECT

public:
    using Cell::Cell;

protected:
    void draw(QPainter& painter, const QStyleOptionViewItem& option,
              const QModelIndex& index) const override;
};

/// Where a value lies on a log scale from 1 to `most`: 0 … 1.
[[nodiscard]] double log_share(double value, double most);

} // namespace blockloom::ui
