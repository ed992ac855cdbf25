#include "docks/live/usage_chart.h"

#include "look/theme_style.h"
#include "models/run_words.h"
#include "models/usage_model.h"
#include "scene/tick_step.h"
#include "text/numbers.h"
#include "text/to_qt.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace blockloom::ui {
namespace {

using profile::Quantity;

constexpr double left = 12, right = 12, caption = 18, lane_height = 44, between = 8, axis = 26,
                 note_height = 18;

} // namespace

UsageChart::UsageChart(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("usageChart"));
    setAccessibleName(tr("What the run did and used over time"));
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void UsageChart::setUsage(std::shared_ptr<const profile::UsageSeries> usage,
                          std::vector<std::pair<Nanoseconds, Nanoseconds>> pauses) {
    if (usage == usage_ && pauses == pauses_) return;
    usage_ = std::move(usage);
    pauses_ = std::move(pauses);
    const std::size_t had = lanes_.size() + static_cast<std::size_t>(untold_.size());
    lanes_.clear();
    untold_.clear();
    if (usage_ != nullptr && !usage_->at.empty()) {
        QStringList silent; // of a device of which nothing is told: one line says it
        for (const profile::UsageLine& line : usage_->lines) {
            if (line.quantity == Quantity::tasks || line.quantity == Quantity::blocks) continue;
            const QString of = to_qt(line.of);
            const bool device = line.quantity >= Quantity::device_busy;
            const QString what = quantity_words(line.quantity);
            if (!line.is_told()) {
                const QString why = to_qt(line.why);
                const QString note = tr("%1: %2").arg(device ? of : what, why);
                const auto& lines = usage_->lines;
                const bool all = device && std::none_of(lines.begin(), lines.end(), [&](auto& l) {
                                     return l.of == line.of && l.is_told();
                                 });
                const QString said =
                    all ? note : tr("%1 %2: %3").arg(device ? of : QString(), what, why).trimmed();
                if (!untold_.contains(said)) untold_.append(said);
                continue;
            }
            addLane(device                             ? tr("%1: %2").arg(of, what)
                    : line.quantity == Quantity::tried ? tr("transactions tried a second")
                                                       : what,
                    line, line.quantity == Quantity::tried);
        }
    }
    if (at_ && (usage_ == nullptr || *at_ >= usage_->at.size())) at_.reset();
    setAccessibleDescription(text());
    if (had != lanes_.size() + static_cast<std::size_t>(untold_.size())) updateGeometry();
    update();
}

void UsageChart::addLane(const QString& name, const profile::UsageLine& line, bool rate) {
    Lane lane;
    lane.name = name;
    lane.quantity = line.quantity;
    lane.of_device = line.quantity >= Quantity::device_busy;
    lane.rate = rate;
    const auto rates = rate ? profile::rate_of(*usage_, line) : std::vector<double>();
    bool any = false;
    for (std::size_t i = 0; i < line.values.size(); ++i) {
        const bool told = line.values[i] != profile::untold;
        const double value = rate ? rates[i] : static_cast<double>(line.values[i]);
        lane.values.push_back(told ? value : std::nan(""));
        if (!told) continue;
        lane.highest = any ? std::max(lane.highest, value) : value;
        lane.last = value;
        any = true;
    }
    if (!any) return;
    // A share has all of it at the top; what is a part of much else would be a flat line.
    lane.most = is_share(line.quantity) ? static_cast<double>(line.most) : lane.highest * 1.1;
    lane.most = std::max(lane.most, 1.0);
    lanes_.push_back(std::move(lane));
}

QString UsageChart::valueText(const Lane& lane, double value) {
    const QString text = usage_text(lane.quantity, value);
    return lane.rate ? tr("%1 /s").arg(text) : text;
}

QString UsageChart::text() const {
    QStringList lines;
    for (const Lane& lane : lanes_)
        lines.append(
            tr("%1: %2 last, %3 highest")
                .arg(lane.name, valueText(lane, lane.last), valueText(lane, lane.highest)));
    return (lines + untold_).join(QLatin1Char('\n'));
}

QString UsageChart::about(std::size_t moment) const {
    QStringList lines{tr("at %1").arg(time_text(usage_->at[moment]))};
    for (const Lane& lane : lanes_)
        lines.append(QStringLiteral("%1: %2").arg(
            lane.name, std::isnan(lane.values[moment]) ? tr("not told then")
                                                       : valueText(lane, lane.values[moment])));
    return lines.join(QLatin1Char('\n'));
}

QSize UsageChart::sizeHint() const {
    const double height =
        6 + static_cast<double>(lanes_.size()) * (caption + lane_height + between) +
        (lanes_.empty() ? 0 : axis) + note_height * static_cast<double>(untold_.size());
    return {360, static_cast<int>(height)};
}

QRectF UsageChart::plot(std::size_t lane) const {
    return {left, 6 + static_cast<double>(lane) * (caption + lane_height + between) + caption,
            std::max(width() - left - right, 1.0), lane_height};
}

double UsageChart::xOf(Nanoseconds at) const {
    const Nanoseconds end = std::max<Nanoseconds>(usage_->at.back(), 1);
    return left + (width() - left - right) * static_cast<double>(at) / static_cast<double>(end);
}

std::optional<std::size_t> UsageChart::momentAt(double x) const {
    if (usage_ == nullptr || usage_->at.empty() || lanes_.empty()) return std::nullopt;
    std::size_t best = 0;
    for (std::size_t i = 1; i < usage_->at.size(); ++i)
        if (std::abs(xOf(usage_->at[i]) - x) < std::abs(xOf(usage_->at[best]) - x)) best = i;
    return best;
}

void UsageChart::paintLane(QPainter& painter, std::size_t number) const {
    const scene::Theme& theme = current_theme();
    const Lane& lane = lanes_[number];
    const QRectF area = plot(number);
    painter.fillRect(area, qcolor(theme.canvas));
    for (const auto& [begin, end] : pauses_) {
        const QRectF pause(xOf(begin), area.top(), std::max(xOf(end) - xOf(begin), 2.0),
                           area.height());
        painter.fillRect(pause, QBrush(qcolor(theme.control_border), Qt::BDiagPattern));
    }
    painter.setPen(qcolor(theme.grid));
    painter.drawLine(area.bottomLeft(), area.bottomRight());

    painter.setFont(text_font(12));
    const QFontMetrics metrics(painter.font());
    const QString figures =
        tr("%1 · highest %2").arg(valueText(lane, lane.last), valueText(lane, lane.highest));
    const double wide = metrics.horizontalAdvance(figures);
    painter.setPen(qcolor(theme.text2));
    const QRectF head(left, area.top() - caption, area.width(), caption);
    painter.drawText(
        head.adjusted(0, 0, -wide - 12, 0), Qt::AlignLeft | Qt::AlignVCenter,
        metrics.elidedText(lane.name, Qt::ElideRight, static_cast<int>(head.width() - wide - 12)));
    painter.setPen(qcolor(theme.text));
    painter.drawText(head, Qt::AlignRight | Qt::AlignVCenter, figures);

    const scene::Colour colour = lane.rate        ? theme.accent
                                 : lane.of_device ? theme.vulkan
                                                  : theme.cpu_native;
    const auto y_of = [&](double value) {
        return area.bottom() - std::clamp(value / lane.most, 0.0, 1.0) * (area.height() - 3);
    };
    // A rate holds since the moment before; a level is joined to the next one.
    QPainterPath line;
    bool open = false;
    double first = left, last = left;
    for (std::size_t i = 0; i < lane.values.size(); ++i) {
        const double x = xOf(usage_->at[i]);
        if (std::isnan(lane.values[i])) {
            open = false;
            continue;
        }
        const double y = y_of(lane.values[i]);
        if (!open) {
            line.moveTo(x, y);
            first = x;
        } else if (lane.rate || is_share(lane.quantity)) {
            line.lineTo(last, y);
            line.lineTo(x, y);
        } else {
            line.lineTo(x, y);
        }
        last = x;
        open = true;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    if (open) {
        QPainterPath filled = line;
        filled.lineTo(last, area.bottom());
        filled.lineTo(first, area.bottom());
        QColor soft = qcolor(colour);
        soft.setAlpha(46);
        painter.fillPath(filled, soft);
    }
    painter.setPen(QPen(qcolor(colour), 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(line);
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (hasFocus() && at_) {
        const double x = xOf(usage_->at[*at_]);
        painter.setPen(QPen(qcolor(theme.pick), 1));
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    }
}

void UsageChart::paintAxis(QPainter& painter) const {
    const scene::Theme& theme = current_theme();
    const double base = plot(lanes_.size() - 1).bottom() + 2;
    const Nanoseconds end = std::max<Nanoseconds>(usage_->at.back(), 1);
    const TimeUnit unit = unit_for(end);
    const double most = unit.of(end);
    const double step = scene::tick_step(most, std::max((width() - left - right) / 80.0, 1.0));
    painter.setFont(text_font(11));
    const QFontMetrics metrics(painter.font());
    for (int i = 0; i * step <= most * 1.0001; ++i) {
        const double x = left + (width() - left - right) * (i * step / most);
        painter.setPen(qcolor(theme.control_border));
        painter.drawLine(QPointF(x, base), QPointF(x, base + 4));
        painter.setPen(qcolor(theme.text2));
        const QString label = i == 0 ? tr("0 %1").arg(unit.name) : significant_text(i * step);
        const double wide = metrics.horizontalAdvance(label);
        const double at = std::clamp(x - wide / 2, left, width() - right - wide);
        painter.drawText(QRectF(at, base + 5, wide + 2, 16), Qt::AlignLeft | Qt::AlignVCenter,
                         label);
    }
}

void UsageChart::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const scene::Theme& theme = current_theme();
    painter.fillRect(rect(), qcolor(theme.panel));
    for (std::size_t i = 0; i < lanes_.size(); ++i) paintLane(painter, i);
    double y = 6;
    if (!lanes_.empty()) {
        paintAxis(painter);
        y = plot(lanes_.size() - 1).bottom() + axis;
    }
    painter.setFont(text_font(12));
    painter.setPen(qcolor(theme.text2));
    const QFontMetrics metrics(painter.font());
    for (const QString& note : untold_) {
        painter.drawText(
            QRectF(left, y, width() - left - right, note_height), Qt::AlignLeft | Qt::AlignVCenter,
            metrics.elidedText(note, Qt::ElideRight, static_cast<int>(width() - left - right)));
        y += note_height;
    }
    if (!hasFocus()) return;
    painter.setPen(QPen(qcolor(theme.accent), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect().adjusted(1, 1, -1, -1));
}

bool UsageChart::event(QEvent* event) {
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) update();
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const double notes =
        static_cast<double>(height()) - note_height * static_cast<double>(untold_.size());
    const auto moment = momentAt(help->pos().x());
    if (help->pos().y() >= notes && !untold_.isEmpty())
        QToolTip::showText(help->globalPos(), untold_.join(QLatin1Char('\n')), this);
    else if (moment)
        QToolTip::showText(help->globalPos(), about(*moment), this);
    else
        QToolTip::hideText();
    return true;
}

void UsageChart::keyPressEvent(QKeyEvent* event) {
    const int key = event->key();
    if (usage_ == nullptr || lanes_.empty() ||
        (key != Qt::Key_Left && key != Qt::Key_Right && key != Qt::Key_Home && key != Qt::Key_End))
        return QWidget::keyPressEvent(event);
    const std::size_t last = usage_->at.size() - 1;
    const std::size_t now = at_.value_or(key == Qt::Key_Right ? 0 : last);
    at_ = key == Qt::Key_Home    ? 0
          : key == Qt::Key_End   ? last
          : key == Qt::Key_Right ? (at_ ? std::min(now + 1, last) : 0)
                                 : (at_ && now > 0 ? now - 1 : now);
    const QString words = about(*at_);
    setAccessibleDescription(words);
    QToolTip::showText(mapToGlobal(QPoint(static_cast<int>(xOf(usage_->at[*at_])),
                                          static_cast<int>(plot(0).bottom()))),
                       words, this);
    update();
}

} // namespace blockloom::ui
