// The figures of one block as labelled values, in reading order.
#pragma once

#include "range/range.h"

#include <QList>
#include <QString>

namespace blockloom::ui {

struct Figure {
    QString label, value, tip;
};

/// Two columns of figures: the size of the block, and what limits its parallelism.
struct BlockFigures {
    QList<Figure> left, right;
};

[[nodiscard]] BlockFigures figures_of(const range::BlockRecord& record);

/// Level sizes on one line, with equal neighbours merged: "1,386 · 328 · 31 × 21". At most `most`
/// terms, then an ellipsis.
[[nodiscard]] QString level_sizes_text(const std::vector<std::uint32_t>& sizes, int most = 6);

} // namespace blockloom::ui
