#include "docks/timeline/timeline_canvas.h"

#include "base/clock.h"
#include "canvas/list_painter.h"
#include "look/theme_style.h"
#include "models/span_words.h"

#include <QPainter>

#include <algorithm>

namespace blockloom::ui {

using profile::SpanRef;
using profile::TimeRange;

TimelineCanvas::TimelineCanvas(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("timelineCanvas"));
    setAccessibleName(tr("Timeline"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void TimelineCanvas::setTimeline(std::shared_ptr<const profile::Timeline> timeline) {
    timeline_ = std::move(timeline);
    shown_ = timeline_ ? report::within_run({0, timeline_->duration()}, timeline_->duration())
                       : TimeRange{0, 1};
    history_.clear(shown_);
    marks_ = {};
    wait_.clear();
    closed_ = timeline_ ? report::closed_at_first(*timeline_) : std::vector<bool>();
    scroll_ = 0;
    drag_ = Drag::none;
    describe();
    update();
    Q_EMIT viewChanged();
    Q_EMIT scrolled();
    Q_EMIT selectionChanged();
}

bool TimelineCanvas::follow(std::shared_ptr<const profile::Timeline> timeline, TimeRange range) {
    if (drag_ != Drag::none) return false;
    timeline_ = std::move(timeline);
    shown_ = report::within_run(range, timeline_->duration());
    history_.clear(shown_);
    marks_ = {};
    wait_.clear();
    describe();
    update();
    scrollTo(static_cast<int>(scroll_));
    Q_EMIT viewChanged();
    Q_EMIT scrolled();
    return true;
}

report::TimelineView TimelineCanvas::view() const {
    report::TimelineView view;
    view.shown = shown_;
    view.width = static_cast<float>(width());
    view.height = static_cast<float>(height());
    view.scroll = scroll_;
    view.closed = closed_;
    return view;
}

scene::DisplayList TimelineCanvas::list() const {
    if (!timeline_) return {};
    return report::draw_timeline(*timeline_, view(), marks_, current_theme());
}

void TimelineCanvas::move(TimeRange range, Move kind) {
    if (!timeline_) return;
    range = report::within_run(range, timeline_->duration());
    if (range == shown_) return;
    shown_ = range;
    history_.visit(range, kind == jump ? std::optional<int>() : std::optional<int>(kind));
    describe();
    update();
    Q_EMIT viewChanged();
}

void TimelineCanvas::show(TimeRange range) {
    move(range, jump);
}

void TimelineCanvas::pan(TimeRange range) {
    move(range, panning);
}

void TimelineCanvas::zoom(double factor) {
    if (!timeline_) return;
    const Nanoseconds middle = shown_.begin + shown_.length() / 2;
    move(report::zoomed(shown_, middle, factor, timeline_->duration()), zooming);
}

void TimelineCanvas::fit() {
    if (!timeline_) return;
    if (marks_.selected) {
        const Nanoseconds margin = marks_.selected->length() / 20;
        const TimeRange wanted =
            report::within_run({marks_.selected->begin - margin, marks_.selected->end + margin},
                               timeline_->duration());
        if (wanted != shown_) return show(wanted);
    }
    fitRun();
}

void TimelineCanvas::fitRun() {
    if (timeline_) show({0, timeline_->duration()});
}

void TimelineCanvas::goBack() {
    if (!history_.canGoBack()) return;
    shown_ = history_.back();
    describe();
    update();
    Q_EMIT viewChanged();
}

void TimelineCanvas::goForward() {
    if (!history_.canGoForward()) return;
    shown_ = history_.forward();
    describe();
    update();
    Q_EMIT viewChanged();
}

void TimelineCanvas::select(std::optional<TimeRange> range) {
    if (range && timeline_) {
        range->begin = std::clamp<Nanoseconds>(range->begin, 0, timeline_->duration());
        range->end = std::clamp<Nanoseconds>(range->end, 0, timeline_->duration());
        if (range->length() <= 0) range.reset();
    }
    if (range == marks_.selected) return;
    marks_.selected = range;
    update();
    Q_EMIT selectionChanged();
}

void TimelineCanvas::setBrushed(std::shared_ptr<const profile::MarkedSpans> marked) {
    marks_.brushed = std::move(marked);
    update();
}

void TimelineCanvas::setPicked(std::vector<SpanRef> spans) {
    if (spans == marks_.picked) return;
    marks_.picked = std::move(spans);
    update();
}

void TimelineCanvas::setWaited(std::vector<report::TimelineArrow> arrows, const QString& words) {
    if (arrows == marks_.waited && words == wait_) return;
    marks_.waited = std::move(arrows);
    wait_ = words;
    describe();
    update();
}

void TimelineCanvas::setFocused(std::optional<SpanRef> span) {
    if (span == marks_.focused) return;
    marks_.focused = span;
    if (span) bringIntoView(*span);
    describe();
    update();
    Q_EMIT focusedChanged();
}

void TimelineCanvas::bringIntoView(SpanRef span) {
    if (!timeline_) return;
    const profile::Span& found = timeline_->span(span);
    if (found.end <= shown_.begin || found.begin >= shown_.end) {
        // Moved, not zoomed, unless it would not fit.
        const Nanoseconds length = std::max(shown_.length(), found.duration() * 5 / 4);
        const Nanoseconds middle = found.begin + found.duration() / 2;
        move({middle - length / 2, middle - length / 2 + length}, panning);
    }
    for (std::size_t group = 0; group < closed_.size(); ++group)
        if (group < timeline_->groups().size() &&
            span.row >= timeline_->groups()[group].first_row &&
            span.row < timeline_->groups()[group].first_row + timeline_->groups()[group].rows)
            closed_[group] = false;
    const auto band = report::band_of_row(*timeline_, view(), span.row);
    const int room = height() - static_cast<int>(report::timeline_ruler);
    if (!band) return;
    if (band->y < scroll_)
        scrollTo(static_cast<int>(band->y));
    else if (band->y + band->height > scroll_ + static_cast<float>(room))
        scrollTo(static_cast<int>(band->y + band->height) - room);
}

int TimelineCanvas::scrollRange() const {
    if (!timeline_) return 0;
    const float all = report::height_of(report::timeline_bands(*timeline_, view()));
    return std::max(0, static_cast<int>(all + report::timeline_ruler) - height());
}

void TimelineCanvas::scrollTo(int pixels) {
    const auto wanted = static_cast<float>(std::clamp(pixels, 0, scrollRange()));
    if (wanted == scroll_) return;
    scroll_ = wanted;
    update();
    Q_EMIT scrolled();
}

void TimelineCanvas::describe() {
    if (!timeline_) return setAccessibleDescription({});
    QString words = marks_.focused ? span_words(*timeline_, *marks_.focused)
                                   : tr("Shows %1 to %2 of %3")
                                         .arg(moment_text(shown_.begin), moment_text(shown_.end),
                                              moment_text(timeline_->duration()));
    if (!wait_.isEmpty()) words += QStringLiteral(". ") + wait_;
    setAccessibleDescription(words);
}

void TimelineCanvas::paintEvent(QPaintEvent*) {
    Stopwatch watch;
    QPainter painter(this);
    if (!timeline_) {
        painter.fillRect(rect(), qcolor(current_theme().canvas));
        return;
    }
    const scene::DisplayList drawn = list();
    const qreal ratio = devicePixelRatioF();
    if (const QSize all = (QSizeF(size()) * ratio).toSize(); frame_.size() != all)
        frame_ = QImage(all, QImage::Format_RGB32);
    frame_.setDevicePixelRatio(ratio);
    paint_list(frame_, drawn);
    painter.drawImage(0, 0, frame_);
    coverage_ = drawn.coverage;
    if (hasFocus()) {
        painter.setPen(QPen(qcolor(current_theme().accent), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
    Q_EMIT painted(watch.lap());
}

void TimelineCanvas::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    scrollTo(static_cast<int>(scroll_)); // there may be room now
    Q_EMIT scrolled();
}

} // namespace blockloom::ui
