#include "docks/blocks/blocks_level_bars.h"

#include "look/cells.h"
#include "look/theme_style.h"
#include "models/block_figures.h"
#include "models/block_words.h"
#include "models/blocks_model.h"
#include "text/numbers.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace blockloom::ui {
namespace {

constexpr int axis_height = 18;

/// 1, 2, 5, 10, 20 …: the smallest that gives at most `most` labels.
std::size_t label_step(std::size_t levels, int most) {
    for (std::size_t decade = 1;; decade *= 10)
        for (const std::size_t factor : {1U, 2U, 5U})
            if (levels / (decade * factor) <= static_cast<std::size_t>(std::max(most, 1)))
                return decade * factor;
}

} // namespace

BlocksLevelBars::BlocksLevelBars(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("levelBars"));
    setAccessibleName(tr("Tasks per level"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void BlocksLevelBars::setSizes(const std::vector<std::uint32_t>& sizes,
                               std::optional<quint32> marked) {
    sizes_ = sizes;
    marked_ = marked;
    setAccessibleDescription(tr("%1: %2").arg(counted(sizes.size(), tr("level"), tr("levels")),
                                              level_sizes_text(sizes, 12)));
    update();
}

QSize BlocksLevelBars::sizeHint() const {
    return {200, 72};
}

QSize BlocksLevelBars::minimumSizeHint() const {
    return {80, 48};
}

BlocksLevelBars::Bars BlocksLevelBars::bars() const {
    // A bar per level, or per run of levels where there are more levels than pixels.
    const int count = std::min(static_cast<int>(sizes_.size()), std::max(width() / 2, 1));
    return {count, std::min(48.0, static_cast<double>(width()) / std::max(count, 1))};
}

void BlocksLevelBars::paintEvent(QPaintEvent*) {
    if (sizes_.empty()) return;
    QPainter painter(this);
    const scene::Theme& theme = current_theme();
    const auto [count, step] = bars();
    const QList<quint32> shown = merged_sizes(sizes_, count);
    const double most = *std::max_element(shown.begin(), shown.end());
    const double base = height() - axis_height;
    const double gap = step >= 4 ? 2 : step >= 3 ? 1 : 0;
    for (int i = 0; i < count; ++i) {
        const double tall = 3 + log_share(shown.at(i), most) * (base - 5);
        const QRectF bar(i * step, base - tall, step - gap, tall);
        painter.fillRect(bar, qcolor(theme.ordinal(static_cast<std::size_t>(i),
                                                   static_cast<std::size_t>(count))));
    }
    if (marked_ && *marked_ >= 1 && *marked_ <= sizes_.size()) {
        const auto bar =
            static_cast<int>((*marked_ - 1) * static_cast<std::size_t>(count) / sizes_.size());
        const double tall = 3 + log_share(shown.at(bar), most) * (base - 5);
        painter.setPen(QPen(qcolor(theme.pick), 2));
        painter.drawRect(
            QRectF(bar * step + 1, base - tall + 1, std::max(step - gap - 2, 1.0), tall - 2));
    }
    painter.setFont(text_font(11));
    painter.setPen(qcolor(theme.text2));
    const std::size_t every = label_step(sizes_.size(), width() / 48);
    for (std::size_t level = 1; level <= sizes_.size();
         level = level == 1 && every > 1 ? every : level + every) {
        const auto bar =
            static_cast<double>((level - 1) * static_cast<std::size_t>(count) / sizes_.size());
        const QRectF place((bar + 0.5) * step - 24, base + 2, 48, axis_height - 2);
        const double left = std::clamp(place.x(), 0.0, std::max(0.0, width() - 48.0));
        const int side = place.x() < 0                ? Qt::AlignLeft
                         : place.x() > width() - 48.0 ? Qt::AlignRight
                                                      : Qt::AlignHCenter;
        painter.drawText(QRectF(left, place.y(), 48, place.height()), side | Qt::AlignVCenter,
                         count_text(level));
    }
}

bool BlocksLevelBars::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || sizes_.empty()) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto [count, step] = bars();
    const int bar = static_cast<int>(help->pos().x() / step);
    if (bar < 0 || bar >= count) {
        QToolTip::hideText();
        return true;
    }
    const auto first =
        static_cast<std::size_t>(bar) * sizes_.size() / static_cast<std::size_t>(count);
    const auto end =
        (static_cast<std::size_t>(bar) + 1) * sizes_.size() / static_cast<std::size_t>(count);
    const quint32 most = *std::max_element(sizes_.begin() + static_cast<std::ptrdiff_t>(first),
                                           sizes_.begin() + static_cast<std::ptrdiff_t>(end));
    QToolTip::showText(
        help->globalPos(),
        tr("Level %1: %2").arg(range_text(first + 1, end), counted(most, tr("task"), tr("tasks"))));
    return true;
}

} // namespace blockloom::ui
