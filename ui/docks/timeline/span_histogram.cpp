#include "docks/timeline/span_histogram.h"

#include "look/theme_style.h"
#include "models/run_words.h"
#include "report/timeline_picture.h"
#include "text/numbers.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

namespace blockloom::ui {
namespace {

constexpr std::size_t most_bins = 40;
constexpr double left = 48, right = 16, top = 48, bottom = 24;

} // namespace

SpanHistogram::SpanHistogram(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("spanHistogram"));
    setAccessibleName(tr("Histogram of span lengths"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void SpanHistogram::setLengths(std::uint16_t kind, const QString& name,
                               const profile::Histogram& lengths) {
    const auto was = marked();
    const bool other = kind != std::exchange(kind_, kind);
    name_ = name;
    lengths_ = lengths;
    bins_ = lengths.bins(most_bins);
    most_ = 0;
    for (const auto& bin : bins_) most_ = std::max(most_, bin.count);
    at_ = std::min(at_, bins_.empty() ? 0 : bins_.size() - 1);
    marks_.reset();
    if (!other && was) // the same lengths stay marked where there still are any
        for (std::size_t i = 0; i < bins_.size(); ++i)
            if (bins_[i].high >= was->first && bins_[i].low <= was->second)
                marks_ = {marks_ ? marks_->first : i, i};
    dragging_ = false;
    describe();
    update();
    if (marked() != was) Q_EMIT brushed();
}

void SpanHistogram::clearMarks() {
    mark(std::nullopt);
}

std::optional<std::pair<Nanoseconds, Nanoseconds>> SpanHistogram::marked() const {
    if (!marks_) return std::nullopt;
    return std::pair{bins_[marks_->first].low, bins_[marks_->second].high};
}

void SpanHistogram::setLogCounts(bool logarithmic) {
    if (logarithmic == std::exchange(log_counts_, logarithmic)) return;
    describe();
    update();
    Q_EMIT logCountsChanged(logarithmic);
}

void SpanHistogram::mark(Marks marks) {
    if (marks == marks_) return;
    marks_ = marks;
    describe();
    update();
    Q_EMIT brushed();
}

QRectF SpanHistogram::plot() const {
    return QRectF(left, top, std::max(width() - left - right, 1.0),
                  std::max(height() - top - bottom, 1.0));
}

/// The axis is logarithmic, from the first bin's lower to the last one's upper end.
double SpanHistogram::x(double ns) const {
    const QRectF area = plot();
    const double low = std::log(static_cast<double>(bins_.front().low) + 1);
    const double high = std::log(static_cast<double>(bins_.back().high) + 2);
    return area.left() + (std::log(ns + 1) - low) / std::max(high - low, 1e-9) * area.width();
}

/// A logarithmic axis begins at a half: one span is seen, none has no height.
double SpanHistogram::heightOf(std::uint64_t count) const {
    if (count == 0 || most_ == 0) return 0;
    const auto value = static_cast<double>(count), most = static_cast<double>(most_);
    return plot().height() *
           (log_counts_ ? std::log(2 * value) / std::log(2 * most) : value / most);
}

QRectF SpanHistogram::barOf(std::size_t bin) const {
    const QRectF area = plot();
    const double from = x(static_cast<double>(bins_[bin].low));
    const double to = x(static_cast<double>(bins_[bin].high) + 1);
    const double seen = bins_[bin].count == 0 ? 0 : std::max(heightOf(bins_[bin].count), 1.5);
    return QRectF(from, area.bottom() - seen, std::max(to - from - 1, 1.0), seen);
}

std::size_t SpanHistogram::binAt(double at) const {
    std::size_t bin = 0;
    while (bin + 1 < bins_.size() && x(static_cast<double>(bins_[bin].high) + 1) <= at) ++bin;
    return bin;
}

QString SpanHistogram::binWords(std::size_t bin) const {
    return tr("%1 to %2: %3")
        .arg(time_text(bins_[bin].low), time_text(bins_[bin].high),
             counted(bins_[bin].count, tr("span"), tr("spans")));
}

void SpanHistogram::describe() {
    if (bins_.empty()) return setAccessibleDescription(tr("No spans"));
    QString words = tr("%1: %2, median %3, p95 %4, p99 %5")
                        .arg(name_, counted(lengths_.count(), tr("span"), tr("spans")),
                             time_text(lengths_.percentile(50)), time_text(lengths_.percentile(95)),
                             time_text(lengths_.percentile(99)));
    if (log_counts_) words += tr("; counts on a logarithmic axis");
    if (const auto band = marked())
        words += tr("; marked are %1 to %2").arg(time_text(band->first), time_text(band->second));
    setAccessibleDescription(words);
}

void SpanHistogram::paintAxes(QPainter& painter) const {
    const scene::Theme& theme = current_theme();
    const QRectF area = plot();
    painter.setFont(text_font(11));
    // Counts: 0, half and the most; or the most and the powers of ten below it.
    std::vector<std::uint64_t> counts{most_};
    if (log_counts_) {
        for (std::uint64_t power = 1; power < most_; power *= 10) counts.push_back(power);
        std::sort(counts.begin() + 1, counts.end(), std::greater<>());
    } else if (most_ >= 4 && area.height() >= 50) {
        counts.push_back(most_ / 2);
    }
    counts.push_back(0);
    double free_to = -1e9; // of the labels, from the top down
    for (const std::uint64_t count : counts) {
        const double y = area.bottom() - heightOf(count);
        if (count != 0 && log_counts_ && (y < free_to || y > area.bottom() - 12)) continue;
        free_to = y + 14;
        painter.setPen(qcolor(count == 0 ? theme.control_border : theme.grid));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        painter.setPen(qcolor(theme.text2));
        if (count == 0 && log_counts_) continue; // there is no 0 on it
        painter.drawText(QRectF(0, y - 8, area.left() - 6, 16), Qt::AlignRight | Qt::AlignVCenter,
                         count_text(count));
    }
    // Times: 1, 2, 5 times powers of ten, as many as there is room for, each in its own unit: the
    // axis spans many.
    const double low = static_cast<double>(bins_.front().low);
    const double high = static_cast<double>(bins_.back().high) + 1;
    const QFontMetricsF metrics(painter.font());
    double free_from = 0;
    for (double power = 1; power <= high; power *= 10)
        for (const double factor : {1.0, 2.0, 5.0}) {
            const double at = power * factor;
            if (at < low || at > high) continue;
            const double place = x(at);
            painter.setPen(qcolor(theme.control_border));
            painter.drawLine(QPointF(place, area.bottom()), QPointF(place, area.bottom() + 3));
            const TimeUnit unit = unit_for(static_cast<Nanoseconds>(at));
            const QString text = QStringLiteral("%1 %2").arg(qRound64(at / unit.ns)).arg(unit.name);
            const double half = metrics.horizontalAdvance(text) / 2;
            if (place - half < free_from || place + half > width() - 4) continue;
            free_from = place + half + 10;
            painter.setPen(qcolor(theme.text2));
            painter.drawText(QRectF(place - half, area.bottom() + 5, 2 * half + 2, 16),
                             Qt::AlignCenter, text);
        }
}

void SpanHistogram::paintPercentiles(QPainter& painter) const {
    const scene::Theme& theme = current_theme();
    const QRectF area = plot();
    painter.setFont(text_font(11));
    const QFontMetricsF metrics(painter.font());
    std::array<double, 3> free{}; // of three lines of labels, where there is room from
    for (const int percent : {50, 95, 99}) {
        const Nanoseconds value = lengths_.percentile(percent);
        const double place = x(static_cast<double>(value));
        painter.setPen(QPen(qcolor(theme.text), 1, Qt::DashLine));
        painter.drawLine(QPointF(place, area.top() - 2), QPointF(place, area.bottom()));
        const QString text = tr("p%1 %2").arg(percent).arg(time_text(value));
        const double room = metrics.horizontalAdvance(text);
        const double from = std::clamp(place - room / 2, 4.0, std::max(4.0, width() - room - 4));
        for (std::size_t line = 0; line < free.size(); ++line) {
            if (from < free[line]) continue;
            free[line] = from + room + 8;
            painter.setPen(qcolor(theme.text));
            painter.drawText(QRectF(from, 2 + static_cast<double>(line) * 14, room + 2, 14),
                             Qt::AlignCenter, text);
            break;
        }
    }
}

void SpanHistogram::paintEvent(QPaintEvent*) {
    const scene::Theme& theme = current_theme();
    QPainter painter(this);
    painter.fillRect(rect(), qcolor(theme.panel));
    if (bins_.empty()) {
        painter.setFont(text_font(12));
        painter.setPen(qcolor(theme.text2));
        painter.drawText(rect(), Qt::AlignCenter, tr("No spans of this kind here"));
        return;
    }
    paintAxes(painter);
    for (std::size_t i = 0; i < bins_.size(); ++i) {
        const bool marked = marks_ && i >= marks_->first && i <= marks_->second;
        const QRectF bar = barOf(i);
        if (bar.height() > 0)
            painter.fillRect(bar, qcolor(marked ? theme.pick : report::span_colour(kind_, theme)));
        if (marked) { // also where a bin is empty
            painter.fillRect(QRectF(bar.left(), plot().bottom() + 1, bar.width() + 1, 2),
                             qcolor(theme.pick));
        }
    }
    paintPercentiles(painter);
    if (!hasFocus()) return;
    painter.setPen(QPen(qcolor(theme.accent), 1));
    painter.setBrush(Qt::NoBrush);
    const QRectF bar = barOf(at_);
    painter.drawRect(QRectF(bar.left() - 1, plot().top(), bar.width() + 2, plot().height()));
    painter.setPen(QPen(qcolor(theme.accent), 2));
    painter.drawRect(rect().adjusted(1, 1, -1, -1));
}

void SpanHistogram::mousePressEvent(QMouseEvent* event) {
    if (bins_.empty() || event->button() != Qt::LeftButton) return;
    pressed_ = at_ = binAt(event->position().x());
    before_ = marks_;
    dragging_ = true;
    mark(std::pair{pressed_, pressed_});
}

void SpanHistogram::mouseMoveEvent(QMouseEvent* event) {
    if (!dragging_ || bins_.empty()) return;
    at_ = binAt(event->position().x());
    mark(std::pair{std::min(pressed_, at_), std::max(pressed_, at_)});
}

void SpanHistogram::mouseReleaseEvent(QMouseEvent*) {
    if (!std::exchange(dragging_, false)) return;
    const Marks here = std::pair{pressed_, pressed_};
    if (marks_ == here && before_ == here) mark(std::nullopt);
}

void SpanHistogram::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_L && event->modifiers() == Qt::NoModifier)
        return setLogCounts(!log_counts_);
    const int by = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    if (event->key() == Qt::Key_Escape && marks_) return clearMarks();
    if (by == 0 || bins_.empty()) return QWidget::keyPressEvent(event);
    const auto last = static_cast<std::ptrdiff_t>(bins_.size()) - 1;
    const std::size_t from = at_;
    at_ = static_cast<std::size_t>(
        std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(at_) + by, 0, last));
    if (event->modifiers().testFlag(Qt::ShiftModifier)) {
        const Marks now = marks_.value_or(std::pair{from, from});
        // The end that the mark stands on moves.
        const std::size_t fixed = now->first == from ? now->second : now->first;
        mark(std::pair{std::min(fixed, at_), std::max(fixed, at_)});
    }
    QToolTip::showText(mapToGlobal(barOf(at_).center().toPoint()), binWords(at_), this);
    update();
}

bool SpanHistogram::event(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) update();
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (bins_.empty() || !plot().contains(help->pos()))
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), binWords(binAt(help->pos().x())), this);
    return true;
}

void SpanHistogram::focusInEvent(QFocusEvent*) {
    update();
}

void SpanHistogram::focusOutEvent(QFocusEvent*) {
    update();
}

} // namespace blockloom::ui
