// The cells of a comparison: bars of two runs on one scale.
#pragma once

#include "look/cells.h"
#include "models/run_words.h"

namespace blockloom::ui {

/// Arrangement of the bars of a comparison.
enum class PairView { side_by_side, overlay, deltas };

/// Side by side: the bars of A and B are mirrored around the names between them. Overlaid: they
/// share a column of their own. Deltas: they grow from a middle line. If both runs have the same
/// colour, B is striped; letters and position distinguish them as well.
class PairCell final : public Cell {
    Q_OBJECT

public:
    using Cell::Cell;
    void setRuns(const runs::KeptRun* a, const runs::KeptRun* b);
    void setView(PairView view) { view_ = view; }

protected:
    void draw(QPainter& painter, const QStyleOptionViewItem& option,
              const QModelIndex& index) const override;

private:
    struct Look {
        std::string backend, engine;
    };
    [[nodiscard]] scene::Colour colour(const Look& look) const;

    Look a_, b_;
    PairView view_ = PairView::side_by_side;
};

} // namespace blockloom::ui
