#include "docks/parts/breakdown_chart.h"

#include "look/theme_style.h"
#include "scene/tick_step.h"
#include "text/numbers.h"
#include "text/to_qt.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace blockloom::ui {
namespace {

constexpr double left = 40, right = 24, top = 10;
constexpr double line = 18, bar = 24, gap = 4, ghost = 16, between = 14, axis = 28;
constexpr double row_height = line + bar + gap + ghost + between;

/// Lines and no pattern: an SVG has them everywhere alike, and nothing there is clipped.
void hatch(QPainter& painter, const QRectF& box, const QColor& ink, bool rising) {
    constexpr double apart = 6;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(ink, 1.2));
    const double first = rising ? box.left() + box.top() : box.top() - box.right();
    const double last = rising ? box.right() + box.bottom() : box.bottom() - box.left();
    for (double at = std::ceil(first / apart) * apart; at < last; at += apart) {
        const double from = std::max(box.left(), rising ? at - box.bottom() : box.top() - at);
        const double to = std::min(box.right(), rising ? at - box.top() : box.bottom() - at);
        if (rising)
            painter.drawLine(QPointF(from, at - from), QPointF(to, at - to));
        else
            painter.drawLine(QPointF(from, at + from), QPointF(to, at + to));
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

} // namespace

BreakdownChart::BreakdownChart(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("breakdownChart"));
    setAccessibleName(tr("Where the time went"));
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void BreakdownChart::setEntries(std::optional<Entry> a, std::optional<Entry> b) {
    a_ = std::move(a);
    b_ = std::move(b);
    at_.reset();
    setAccessibleDescription(text());
    updateGeometry();
    update();
}

void BreakdownChart::setOnly(Entry entry) {
    lettered_ = false;
    setEntries(std::move(entry), std::nullopt);
}

std::vector<BreakdownChart::Row> BreakdownChart::rows() const {
    std::vector<Row> found;
    double y = top;
    for (const auto& [entry, letter] : {std::pair{&a_, u'A'}, {&b_, u'B'}}) {
        if (!*entry) continue;
        found.push_back({&**entry, QChar(letter), y});
        y += row_height;
    }
    return found;
}

double BreakdownChart::scale() const {
    Nanoseconds longest = 1;
    for (const Row& row : rows()) longest = std::max(longest, row.entry->breakdown.total);
    return std::max(width() - left - right, 1.0) / static_cast<double>(longest);
}

std::vector<BreakdownChart::Segment> BreakdownChart::segments(const Entry& entry) const {
    std::vector<Segment> found;
    double x = left;
    for (runs::PhasePart& part : runs::parts_of(entry.run, entry.run.phases)) {
        const double wide = static_cast<double>(part.ns) * scale();
        found.push_back({part, x, wide});
        x += wide;
    }
    return found;
}

QString BreakdownChart::about(const Entry& entry, const Segment& segment) const {
    const double share = static_cast<double>(segment.part.ns) /
                         static_cast<double>(std::max<Nanoseconds>(entry.breakdown.total, 1));
    return tr("%1: %2, %3, %4")
        .arg(to_qt(segment.part.name()), time_text(segment.part.ns), percent_text(share),
             to_qt(segment.part.where(entry.run)));
}

QString BreakdownChart::text() const {
    QStringList lines;
    for (const Row& row : rows()) {
        const runs::Breakdown& b = row.entry->breakdown;
        lines.append(
            (lettered_ ? QStringLiteral("%1: ").arg(row.letter) : QString()) +
            tr("%1, %2 measured, %3 accelerated, %4 serial; with an infinitely fast device %5 "
               "predicted%6")
                .arg(run_words(row.entry->run), time_text(b.total),
                     percent_text(b.accelerated_share), percent_text(b.serial_share),
                     time_text(b.with_infinite_device),
                     b.bound ? tr(", at most %1 the serial run").arg(ratio_text(*b.bound))
                             : QString()));
    }
    return lines.join(QLatin1Char('\n'));
}

QSize BreakdownChart::sizeHint() const {
    const auto count = static_cast<double>(std::max<std::size_t>(rows().size(), 1));
    return {360, static_cast<int>(top + count * row_height + axis)};
}

void BreakdownChart::paintRow(QPainter& painter, const Row& row, bool striped) const {
    const scene::Theme& theme = current_theme();
    const Entry& entry = *row.entry;
    const scene::Colour fill = colour_of(entry.run, theme);
    const runs::Breakdown& found = entry.breakdown;

    painter.setFont(text_font(13, true));
    painter.setPen(qcolor(theme.text));
    const double bar_top = row.top + line;
    painter.drawText(QRectF(10, bar_top, left - 14, bar), Qt::AlignVCenter | Qt::AlignLeft,
                     lettered_ ? QString(row.letter) : QString());
    painter.setFont(text_font(12, true));
    const double room = width() - left - right;
    const QFontMetrics metrics(painter.font());
    const QString shares =
        tr("accelerated %1 · serial %2")
            .arg(percent_text(found.accelerated_share), percent_text(found.serial_share));
    const double shares_width = metrics.horizontalAdvance(shares);
    painter.drawText(
        QRectF(left, row.top, room - shares_width - 12, line - 2), Qt::AlignVCenter,
        metrics.elidedText(tr("%1 · %2").arg(time_text(found.total), run_words(entry.run)),
                           Qt::ElideRight, static_cast<int>(room - shares_width - 12)));
    painter.setFont(text_font(12));
    painter.setPen(qcolor(theme.text2));
    painter.drawText(QRectF(left, row.top, room, line - 2), Qt::AlignVCenter | Qt::AlignRight,
                     shares);

    painter.setFont(text_font(11));
    const QFontMetrics small(painter.font());
    const scene::Colour ink =
        scene::contrast(theme.canvas, fill) >= scene::contrast(theme.pick, fill) ? theme.canvas
                                                                                 : theme.pick;
    int number = 0;
    const auto parts = segments(entry);
    for (const Segment& segment : parts) {
        const QRectF box(segment.left, bar_top, std::max(segment.width - 1, 0.5), bar);
        painter.fillRect(box, qcolor(fill));
        QColor dark = qcolor(theme.canvas);
        dark.setAlpha(150);
        if (!segment.part.accelerated) hatch(painter, box, dark, true);
        if (striped) hatch(painter, box, dark, false);
        const QString name = to_qt(segment.part.name());
        const double wide = small.horizontalAdvance(name);
        if (box.width() > wide + 12) {
            const QRectF words(box.center().x() - wide / 2 - 4, box.y() + 4, wide + 8, bar - 8);
            painter.fillRect(words, qcolor(fill));
            painter.setPen(qcolor(ink));
            painter.drawText(words, Qt::AlignCenter, name);
        }
        if (hasFocus() && at_ && at_->second == number &&
            at_->first == (row.letter == QLatin1Char('A') ? 0 : 1)) {
            painter.setPen(QPen(qcolor(theme.pick), 2));
            painter.drawRect(box.adjusted(1, 1, -1, -1));
        }
        ++number;
    }

    // What an infinitely fast device leaves: hollow and dashed, for it is predicted.
    const double ghost_top = bar_top + bar + gap;
    const double rest = static_cast<double>(found.with_infinite_device) * scale();
    const QRectF hollow(left + 0.5, ghost_top + 0.5, std::max(rest - 1, 2.0), ghost - 1);
    painter.fillRect(hollow, qcolor(theme.panel));
    QPen pen(qcolor(fill));
    if (rest > 6) pen.setDashPattern({3, 3});
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(hollow);
    QString words =
        tr("infinitely fast device: %1 predicted").arg(time_text(found.with_infinite_device));
    words += found.bound ? tr(", at most %1 the serial run").arg(ratio_text(*found.bound))
                         : tr("; a kept serial run of the same blocks gives its bound");
    painter.setPen(qcolor(theme.text2));
    const double after = left + rest + 8;
    const double words_wide = small.horizontalAdvance(words);
    const double x = std::max(left + 6, std::min(after, width() - right - words_wide));
    // Over its own bar where nothing is free beside it.
    if (x < after)
        painter.fillRect(QRectF(x - 3, ghost_top + 2, words_wide + 6, ghost - 4),
                         qcolor(theme.panel));
    painter.drawText(QRectF(x, ghost_top, width() - x, ghost), Qt::AlignVCenter | Qt::AlignLeft,
                     small.elidedText(words, Qt::ElideRight, static_cast<int>(width() - x - 4)));
}

void BreakdownChart::paintAxis(QPainter& painter) const {
    const scene::Theme& theme = current_theme();
    const auto drawn = rows();
    const double base = drawn.back().top + row_height - between + 6;
    Nanoseconds longest = 1;
    for (const Row& row : drawn) longest = std::max(longest, row.entry->breakdown.total);
    const TimeUnit unit = unit_for(longest);
    const double most = unit.of(longest);
    const double step = scene::tick_step(most, std::max((width() - left - right) / 70.0, 1.0));
    painter.setFont(text_font(11));
    painter.setPen(qcolor(theme.control_border));
    painter.drawLine(QPointF(left, base), QPointF(width() - right, base));
    for (int i = 0; i * step <= most * 1.0001; ++i) {
        const double x = left + i * step * unit.ns * scale();
        painter.setPen(qcolor(theme.control_border));
        painter.drawLine(QPointF(x, base), QPointF(x, base + 4));
        painter.setPen(qcolor(theme.text2));
        const QString label = i == 0 ? QStringLiteral("0") : significant_text(i * step);
        painter.drawText(QRectF(x - 40, base + 4, 80, 16), Qt::AlignCenter, label);
    }
    painter.drawText(QRectF(4, base + 4, left - 12, 16), Qt::AlignVCenter | Qt::AlignLeft,
                     unit.name);
}

void BreakdownChart::paintEvent(QPaintEvent*) {
    const auto drawn = rows();
    if (drawn.empty()) return;
    QPainter painter(this);
    painter.fillRect(rect(), qcolor(current_theme().panel));
    const bool same =
        a_ && b_ && colour_of(a_->run, current_theme()) == colour_of(b_->run, current_theme());
    for (const Row& row : drawn) paintRow(painter, row, same && row.letter == QLatin1Char('B'));
    paintAxis(painter);
    if (!hasFocus()) return;
    painter.setPen(QPen(qcolor(current_theme().accent), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect().adjusted(1, 1, -1, -1));
}

bool BreakdownChart::event(QEvent* event) {
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) update();
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    for (const Row& row : rows())
        for (const Segment& part : segments(*row.entry))
            if (QRectF(part.left, row.top + line, std::max(part.width, 3.0), bar)
                    .contains(help->pos())) {
                QToolTip::showText(help->globalPos(), about(*row.entry, part), this);
                return true;
            }
    QToolTip::hideText();
    return true;
}

/// Left and right walk the phases of a run, up and down the runs; what is under the mark is said as
/// the tooltip says it.
void BreakdownChart::keyPressEvent(QKeyEvent* event) {
    const auto drawn = rows();
    const int key = event->key();
    if (drawn.empty() ||
        (key != Qt::Key_Left && key != Qt::Key_Right && key != Qt::Key_Up && key != Qt::Key_Down)) {
        QWidget::keyPressEvent(event);
        return;
    }
    auto [row, part] = at_.value_or(std::pair{0, key == Qt::Key_Right ? -1 : 0});
    row += key == Qt::Key_Down ? 1 : key == Qt::Key_Up ? -1 : 0;
    row = std::clamp(row, 0, static_cast<int>(drawn.size()) - 1);
    const auto parts = segments(*drawn[static_cast<std::size_t>(row)].entry);
    if (parts.empty()) return;
    part += key == Qt::Key_Right ? 1 : key == Qt::Key_Left ? -1 : 0;
    part = std::clamp(part, 0, static_cast<int>(parts.size()) - 1);
    at_ = {row, part};
    const Segment& on = parts[static_cast<std::size_t>(part)];
    const QString words = about(*drawn[static_cast<std::size_t>(row)].entry, on);
    setAccessibleDescription(words);
    QToolTip::showText(
        mapToGlobal(
            QPoint(static_cast<int>(on.left + on.width / 2),
                   static_cast<int>(drawn[static_cast<std::size_t>(row)].top + line + bar))),
        words, this);
    update();
}

} // namespace blockloom::ui
