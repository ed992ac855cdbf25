#include "docks/compare/pair_cell.h"

#include "canvas/list_painter.h"
#include "look/theme_style.h"
#include "models/compare_model.h"
#include "report/cell_bars.h"

#include <QPainter>

#include <algorithm>

namespace blockloom::ui {
namespace {

constexpr int number_room = 62, pair_bar_height = 14;

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

void PairCell::draw(QPainter& painter, const QStyleOptionViewItem& option,
                    const QModelIndex& index) const {
    const int column = index.column();
    const bool side = view_ == PairView::side_by_side;
    if ((column == CompareModel::A || column == CompareModel::B) && !side)
        return Cell::draw(painter, option, index);
    const auto pair = index.data(CompareModel::PairRole).value<PairBar>();
    const scene::Theme& theme = current_theme();
    const bool one_colour = colour(a_) == colour(b_);
    const QRect box = inside(option);
    const auto bar = [&](bool is_a, double left, double top, double width, double height) {
        const report::RunBar of{colour(is_a ? a_ : b_), is_a ? pair.hatch_a : pair.hatch_b,
                                !is_a && one_colour, pair.predicted};
        for (const scene::Layer& layer :
             report::run_bar(of,
                             {static_cast<float>(left), static_cast<float>(top),
                              static_cast<float>(width), static_cast<float>(height)},
                             theme))
            paint_layer(painter, layer);
    };
    const auto length = [](double share, double room) {
        return share > 0 ? std::max(share * room, 1.0) : 0;
    };
    const double middle = box.center().y() + 0.5;

    if (column != CompareModel::Bars) {
        const bool is_a = column == CompareModel::A;
        const double wide = length(is_a ? pair.a : pair.b, std::max(box.width() - number_room, 8));
        const double left = is_a ? box.right() - wide : box.left();
        bar(is_a, left, middle - pair_bar_height / 2.0, wide, pair_bar_height);
        painter.setPen(qcolor(theme.text));
        const QRectF words =
            is_a ? QRectF(box.left() - cell_padding, box.top(),
                          left - 6 - box.left() + cell_padding, box.height())
                 : QRectF(left + wide + 6, box.top(), box.right() - left - wide, box.height());
        painter.drawText(words, int((is_a ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter),
                         option.text);
    } else if (view_ == PairView::overlay) {
        bar(true, box.left(), middle - 9, length(pair.a, box.width()), 8);
        bar(false, box.left(), middle + 1, length(pair.b, box.width()), 8);
    } else {
        const scene::Colour tone = !pair.is_time    ? theme.text2
                                   : pair.delta < 0 ? theme.ok
                                                    : theme.warning;
        paint_layer(painter,
                    report::difference_bar(
                        pair.delta, tone,
                        {static_cast<float>(box.left()), static_cast<float>(option.rect.top()),
                         static_cast<float>(box.width()), static_cast<float>(option.rect.height())},
                        theme));
    }
}

} // namespace blockloom::ui
