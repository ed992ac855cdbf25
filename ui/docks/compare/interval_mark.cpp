#include "docks/compare/interval_mark.h"

#include "look/theme_style.h"
#include "text/numbers.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace blockloom::ui {
namespace {

constexpr double mark_side = 14, base = 22;

} // namespace

IntervalMark::IntervalMark(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("intervalMark"));
    setAccessibleName(tr("Ratio of medians"));
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
}

void IntervalMark::setRatio(std::optional<double> ratio,
                            std::optional<profile::Interval> interval) {
    ratio_ = ratio;
    interval_ = interval;
    QString words = ratio_ ? tr("A / B is %1").arg(ratio_text(*ratio_)) : tr("no ratio");
    if (interval_)
        words += tr(", 95 % interval %1 to %2")
                     .arg(ratio_text(interval_->low), ratio_text(interval_->high));
    setAccessibleDescription(words);
    setToolTip(words);
    setVisible(ratio_.has_value());
    update();
}

void IntervalMark::paintEvent(QPaintEvent*) {
    if (!ratio_ || *ratio_ <= 0) return;
    const scene::Theme& theme = current_theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    // A ratio and its inverse are equally far from 1: the axis is logarithmic.
    double low = std::min(1.0, *ratio_), high = std::max(1.0, *ratio_);
    if (interval_) {
        low = std::min(low, interval_->low);
        high = std::max(high, interval_->high);
    }
    const double least = std::log(std::max(low, 1e-6)), most = std::log(high);
    const double room = std::max(most - least, 0.02);
    const auto x = [&](double value) {
        return mark_side +
               (std::log(value) - least + 0.05 * room) / (1.1 * room) * (width() - 2 * mark_side);
    };
    painter.setPen(qcolor(theme.control_border));
    painter.drawLine(QPointF(mark_side, base), QPointF(width() - mark_side, base));
    painter.setPen(QPen(qcolor(theme.text), 1, Qt::DashLine));
    painter.drawLine(QPointF(x(1), base - 9), QPointF(x(1), base + 5));
    painter.setFont(text_font(11));
    painter.setPen(qcolor(theme.text2));
    const QString one = QStringLiteral("1\u00D7");
    const double wide = painter.fontMetrics().horizontalAdvance(one);
    painter.drawText(
        QRectF(std::clamp(x(1) - wide / 2, 0.0, width() - wide), base + 4, wide + 2, 13),
        Qt::AlignCenter, one);
    const scene::Colour tone = interval_ && interval_->holds(1) ? theme.text2
                               : *ratio_ >= 1                   ? theme.ok
                                                                : theme.warning;
    if (interval_) {
        painter.setPen(QPen(qcolor(tone), 3, Qt::SolidLine, Qt::FlatCap));
        painter.drawLine(QPointF(x(interval_->low), base), QPointF(x(interval_->high), base));
    }
    QPainterPath diamond;
    diamond.moveTo(x(*ratio_), base - 6);
    diamond.lineTo(x(*ratio_) + 6, base);
    diamond.lineTo(x(*ratio_), base + 6);
    diamond.lineTo(x(*ratio_) - 6, base);
    diamond.closeSubpath();
    painter.setPen(QPen(qcolor(tone), 1.5));
    painter.setBrush(interval_ ? QBrush(qcolor(tone)) : QBrush(qcolor(theme.panel)));
    painter.drawPath(diamond);
    const QString value = ratio_text(*ratio_);
    const double value_wide = painter.fontMetrics().horizontalAdvance(value);
    painter.setPen(qcolor(theme.text));
    painter.drawText(QRectF(std::clamp(x(*ratio_) - value_wide / 2, 0.0, width() - value_wide), 0,
                            value_wide + 2, 14),
                     Qt::AlignCenter, value);
}

} // namespace blockloom::ui
