#include "docks/live/stretch_bars.h"

#include "look/theme_style.h"
#include "text/numbers.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace blockloom::ui {
namespace {

constexpr double left = 12, right = 12, top = 24, bottom = 8;

} // namespace

StretchBars::StretchBars(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("stretchBars"));
    setAccessibleName(tr("Wall time of each finished block"));
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

Nanoseconds StretchBars::mean(const execute::LiveStretch& stretch) {
    return stretch.wall / static_cast<Nanoseconds>(std::max<std::uint64_t>(stretch.blocks, 1));
}

void StretchBars::setStretches(std::vector<execute::LiveStretch> stretches, std::uint64_t all) {
    stretches_ = std::move(stretches);
    all_ = all;
    longest_ = 1;
    for (const auto& stretch : stretches_) longest_ = std::max(longest_, mean(stretch));
    if (at_ && *at_ >= stretches_.size()) at_.reset();
    setAccessibleDescription(text());
    update();
}

QString StretchBars::text() const {
    if (stretches_.empty()) return tr("Wall time of each block: none is finished yet");
    std::uint64_t blocks = 0;
    for (const auto& stretch : stretches_) blocks += stretch.blocks;
    return tr("Wall time of each block: %1, longest %2")
        .arg(counted(blocks, tr("block"), tr("blocks")), time_text(longest_));
}

QString StretchBars::about(std::size_t at) const {
    const execute::LiveStretch& stretch = stretches_[at];
    const QString tasks = counted(stretch.tasks, tr("task"), tr("tasks"));
    if (stretch.blocks == 1)
        return tr("Block %1: %2, %3")
            .arg(count_text(stretch.first_height), time_text(stretch.wall), tasks);
    return tr("Blocks %1–%2: %3 each in the mean, %4 in all")
        .arg(count_text(stretch.first_height), count_text(stretch.last_height),
             time_text(mean(stretch)), tasks);
}

QRectF StretchBars::box(std::size_t at) const {
    std::uint64_t before = 0, done = 0;
    for (std::size_t i = 0; i < stretches_.size(); ++i) {
        if (i < at) before += stretches_[i].blocks;
        done += stretches_[i].blocks;
    }
    const double unit =
        (width() - left - right) / static_cast<double>(std::max<std::uint64_t>({all_, done, 8}));
    const double high = (height() - top - bottom) * static_cast<double>(mean(stretches_[at])) /
                        static_cast<double>(longest_);
    const double wide = unit * static_cast<double>(stretches_[at].blocks);
    return {left + unit * static_cast<double>(before), height() - bottom - std::max(high, 1.0),
            std::max(wide > 3 ? wide - 1 : wide, 0.5), std::max(high, 1.0)};
}

void StretchBars::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const scene::Theme& theme = current_theme();
    painter.fillRect(rect(), qcolor(theme.panel));
    painter.fillRect(QRectF(left, top, width() - left - right, height() - top - bottom),
                     qcolor(theme.canvas));
    painter.setFont(text_font(12));
    const QRectF head(left, 4, width() - left - right, top - 6);
    painter.setPen(qcolor(theme.text2));
    painter.drawText(head, Qt::AlignLeft | Qt::AlignVCenter, tr("wall time of each block"));
    painter.setPen(qcolor(theme.text));
    if (!stretches_.empty())
        painter.drawText(
            head, Qt::AlignRight | Qt::AlignVCenter,
            tr("%1 · longest %2").arg(time_text(mean(stretches_.back())), time_text(longest_)));
    for (std::size_t i = 0; i < stretches_.size(); ++i) {
        painter.fillRect(box(i), qcolor(theme.cpu_native));
        if (hasFocus() && at_ == i) {
            painter.setPen(QPen(qcolor(theme.pick), 2));
            painter.drawRect(box(i));
        }
    }
    painter.setPen(qcolor(theme.grid));
    painter.drawLine(QPointF(left, height() - bottom), QPointF(width() - right, height() - bottom));
    if (!hasFocus()) return;
    painter.setPen(QPen(qcolor(theme.accent), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect().adjusted(1, 1, -1, -1));
}

bool StretchBars::event(QEvent* event) {
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) update();
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    for (std::size_t i = 0; i < stretches_.size(); ++i) {
        const QRectF bar = box(i);
        if (help->pos().x() < bar.left() || help->pos().x() > bar.right() + 1) continue;
        QToolTip::showText(help->globalPos(), about(i), this);
        return true;
    }
    QToolTip::hideText();
    return true;
}

void StretchBars::keyPressEvent(QKeyEvent* event) {
    const int key = event->key();
    if (stretches_.empty() || (key != Qt::Key_Left && key != Qt::Key_Right))
        return QWidget::keyPressEvent(event);
    const std::size_t last = stretches_.size() - 1;
    if (!at_)
        at_ = key == Qt::Key_Right ? 0 : last;
    else
        at_ = key == Qt::Key_Right ? std::min(*at_ + 1, last) : *at_ - (*at_ > 0 ? 1 : 0);
    setAccessibleDescription(about(*at_));
    QToolTip::showText(mapToGlobal(box(*at_).topLeft().toPoint()), about(*at_), this);
    update();
}

} // namespace blockloom::ui
