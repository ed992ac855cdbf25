#include "charts/bar_cells.h"

#include "canvas/list_painter.h"
#include "look/roles.h"
#include "look/theme_style.h"
#include "report/cell_bars.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <vector>

namespace blockloom::ui {
namespace {

constexpr int margin = 4, widest_level = 8, track_height = 9;

scene::Rect rect_of(const QRect& rect) {
    return {static_cast<float>(rect.x()), static_cast<float>(rect.y()),
            static_cast<float>(rect.width()), static_cast<float>(rect.height())};
}

} // namespace

double log_share(double value, double most) {
    if (!(most > 1) || !(value > 1)) return 0;
    return std::clamp(std::log(value) / std::log(most), 0.0, 1.0);
}

void SparklineCell::draw(QPainter& painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const {
    const auto sizes = index.data(SparklineRole).value<QList<quint32>>();
    const QRect rect = inside(option);
    if (sizes.isEmpty()) {
        const QString detail = index.data(DetailRole).toString();
        drawText(painter, option, rect, detail.isEmpty() ? option.text : detail,
                 captionColour(option));
        return;
    }
    const double most = *std::max_element(sizes.begin(), sizes.end());
    std::vector<double> shares;
    for (const quint32 size : sizes) shares.push_back(log_share(size, most));
    paint_layer(painter, report::level_bars(shares, rect_of(rect.adjusted(0, margin, 0, -margin)),
                                            widest_level, current_theme()));
}

void BarCell::draw(QPainter& painter, const QStyleOptionViewItem& option,
                   const QModelIndex& index) const {
    const QVariant data = index.data(BarRole);
    const QRect rect = inside(option);
    const scene::Theme& theme = current_theme();
    if (!data.isValid()) {
        drawText(painter, option, rect, option.text, captionColour(option));
        return;
    }
    const auto bar = data.value<Bar>();
    // Numbers have three digits, so the bars of a column end at the same place.
    const bool ratio = option.text.endsWith(QChar(0xd7));
    const int number_width =
        std::max(40, 6 + QFontMetrics(option.font)
                             .horizontalAdvance(ratio ? QString::fromUtf8("0.000×")
                                                      : QStringLiteral("0.000")));
    const QRect track(rect.x(), rect.center().y() - track_height / 2,
                      std::max(rect.width() - number_width, 8), track_height);
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    paint_layer(painter,
                report::bar_on_track(log_share(bar.value, bar.most), bar.predicted, rect_of(track),
                                     selected ? theme.selected_row : theme.panel, theme));
    drawText(painter, option, rect.adjusted(track.width() + 4, 0, 0, 0), option.text, theme.text);
}

} // namespace blockloom::ui
