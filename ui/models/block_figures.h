// The figures of one block as labelled values, in the order in which they are read.
#pragma once

#include "range/range.h"

#include <QList>
#include <QString>

namespace blockloom::ui {

struct Figure {
    QString label, value, tip;
};

/// Two columns of figures: what the block is, and what stands in the way.
struct BlockFigures {
    QList<Figure> left, right;
};

[[nodiscard]] BlockFigures figures_of(const range::BlockRecord& record);

/// Level sizes in a line, equal neighbours taken together: "1,386 · 328 · 31 × 21". At most `most`
/// terms, then an ellipsis.
[[nodiscard]] QString level_sizes_text(const std::vector<std::uint32_t>& sizes, int most = 6);

} // namespace blockloom::ui
