#include "docks/compare/pair_cell.h"

#include "look/theme_style.h"
#include "models/compare_model.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace blockloom::ui {
namespace {

constexpr int pair_padding = 8, number_room = 62, pair_bar_height = 14;

} // namespace

void PairCell::setRuns(const runs::KeptRun* a, const runs::KeptRun* b) {
    const auto look = [](const runs::KeptRun* run) {
        return run == nullptr ? Look{} : Look{run->backend, run->engine};
    };
    a_ = look(a);
    b_ = look(b);
}

scene::Colour PairCell::colour(const Look& look) const {
    runs::KeptRun run;
    run.backend = look.backend;
    run.engine = look.engine;
    return colour_of(run, current_theme());
}

void PairCell::fill(QPainter& painter, const QRectF& bar, const Look& look, bool hatched,
                    bool striped) const {
    painter.fillRect(bar, qcolor(colour(look)));
    QColor dark = qcolor(current_theme().canvas);
    dark.setAlpha(150);
    if (hatched) painter.fillRect(bar, QBrush(dark, Qt::BDiagPattern));
    if (striped) painter.fillRect(bar, QBrush(dark, Qt::FDiagPattern));
}

void PairCell::draw(QPainter& painter, const QStyleOptionViewItem& option,
                    const QModelIndex& index) const {
    const int column = index.column();
    const bool side = view_ == PairView::side_by_side;
    if ((column == CompareModel::A || column == CompareModel::B) && !side)
        return Cell::draw(painter, option, index);
    const auto pair = index.data(CompareModel::PairRole).value<PairBar>();
    const scene::Theme& theme = current_theme();
    const bool striped = colour(a_) == colour(b_);
    const QRect box = option.rect.adjusted(pair_padding, 0, -pair_padding, -1);
    const double middle = box.center().y() + 0.5;

    if (column != CompareModel::Bars) {
        const bool is_a = column == CompareModel::A;
        const double room = std::max(box.width() - number_room, 8);
        const double share = is_a ? pair.a : pair.b;
        const double wide = share > 0 ? std::max(share * room, 1.0) : 0;
        const double left = is_a ? box.right() - wide : box.left();
        fill(painter, QRectF(left, middle - pair_bar_height / 2.0, wide, pair_bar_height),
             is_a ? a_ : b_, is_a ? pair.hatch_a : pair.hatch_b, !is_a && striped);
        painter.setPen(qcolor(theme.text));
        const QRectF words =
            is_a ? QRectF(box.left() - pair_padding, box.top(),
                          left - 6 - box.left() + pair_padding, box.height())
                 : QRectF(left + wide + 6, box.top(), box.right() - left - wide, box.height());
        painter.drawText(words, int((is_a ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter),
                         option.text);
        return;
    }
    if (view_ == PairView::overlay) {
        const double room = box.width();
        for (const bool is_a : {true, false}) {
            const double share = is_a ? pair.a : pair.b;
            if (share <= 0) continue;
            fill(painter,
                 QRectF(box.left(), is_a ? middle - 9 : middle + 1, std::max(share * room, 1.0), 8),
                 is_a ? a_ : b_, is_a ? pair.hatch_a : pair.hatch_b, !is_a && striped);
        }
        return;
    }
    const double centre = box.center().x();
    const double wide = std::abs(pair.delta) * box.width() / 2;
    painter.setPen(qcolor(theme.control_border));
    painter.drawLine(QPointF(centre, option.rect.top()), QPointF(centre, option.rect.bottom()));
    if (wide < 0.5) return;
    const scene::Colour tone = !pair.is_time    ? theme.text2
                               : pair.delta < 0 ? theme.ok
                                                : theme.warning;
    painter.fillRect(QRectF(pair.delta < 0 ? centre - wide : centre, middle - pair_bar_height / 2.0,
                            std::max(wide, 1.0), pair_bar_height),
                     qcolor(tone));
}

} // namespace blockloom::ui
