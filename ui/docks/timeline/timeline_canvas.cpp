#include "docks/timeline/timeline_canvas.h"

#include "base/clock.h"
#include "canvas/list_painter.h"
#include "look/hover_keys.h"
#include "look/theme_style.h"
#include "models/span_words.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace blockloom::ui {

using profile::SpanRef;
using profile::TimeRange;

namespace {

constexpr double notch = 1.25, fine_notch = 1.05, time_key_zoom = 1.5;
constexpr double step_of_view = 8; ///< A and D move by this part of what is shown
constexpr int wheel_scroll = 60;
constexpr double edge_reach = 4; ///< pixels around an end of the selection, in the ruler

} // namespace

TimelineCanvas::TimelineCanvas(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("timelineCanvas"));
    setAccessibleName(tr("Timeline"));
    HoverKeys::give(this);
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

QString TimelineCanvas::wordsOf(profile::SpanRef span) const {
    const QString more = about_ ? about_(span) : QString();
    const QString words = span_words(*timeline_, span);
    return more.isEmpty() ? words : tr("%1; %2").arg(words, more);
}

void TimelineCanvas::describe() {
    if (!timeline_) return setAccessibleDescription({});
    QString words = marks_.focused ? wordsOf(*marks_.focused)
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

report::TimelineHit TimelineCanvas::hit(QPointF at) const {
    if (!timeline_) return {};
    return report::timeline_hit(*timeline_, view(),
                                {static_cast<float>(at.x()), static_cast<float>(at.y())});
}

Nanoseconds TimelineCanvas::timeAt(double x) const {
    return std::clamp<Nanoseconds>(view().time_at(x), 0, timeline_->duration());
}

void TimelineCanvas::wheelEvent(QWheelEvent* event) {
    event->accept();
    if (!timeline_) return;
    const double notches = event->angleDelta().y() / 120.0;
    const double sideways = event->angleDelta().x() / 120.0;
    const double x = event->position().x();
    if (sideways != 0 || event->modifiers().testFlag(Qt::ShiftModifier)) {
        const double by = -(sideways != 0 ? sideways : notches) *
                          static_cast<double>(shown_.length()) / step_of_view;
        const auto ns = static_cast<Nanoseconds>(std::llround(by));
        return move({shown_.begin + ns, shown_.end + ns}, panning);
    }
    if (notches == 0) return;
    if (x < view().left())
        return scrollTo(static_cast<int>(scroll_) - static_cast<int>(notches * wheel_scroll));
    const double factor = event->modifiers().testFlag(Qt::ControlModifier) ? fine_notch : notch;
    move(report::zoomed(shown_, timeAt(x), std::pow(factor, notches), timeline_->duration()),
         wheeling);
}

void TimelineCanvas::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::BackButton) return goBack();
    if (event->button() == Qt::ForwardButton) return goForward();
    if (!timeline_ || drag_ != Drag::none) return;
    const bool left = event->button() == Qt::LeftButton;
    if (!left && event->button() != Qt::MiddleButton) return;
    event->accept();
    pressed_ = last_ = event->position();
    anchor_ = timeAt(pressed_.x());
    const bool moves = !left || event->modifiers().testFlag(Qt::ShiftModifier);
    drag_ = moves ? Drag::moving : Drag::undecided;
    if (moves || !marks_.selected || pressed_.y() >= static_cast<double>(report::timeline_ruler))
        return;
    // An end of the selection is taken in the ruler.
    const report::TimelineView now = view();
    for (const auto& [end, other] : {std::pair{marks_.selected->begin, marks_.selected->end},
                                     {marks_.selected->end, marks_.selected->begin}})
        if (std::abs(now.x(end) - pressed_.x()) <= edge_reach) {
            anchor_ = other;
            drag_ = Drag::selecting;
            return;
        }
}

void TimelineCanvas::mouseMoveEvent(QMouseEvent* event) {
    const QPointF at = event->position();
    if (!timeline_ || drag_ == Drag::none) return;
    if (drag_ == Drag::undecided) {
        if (std::abs(at.x() - pressed_.x()) < QApplication::startDragDistance() ||
            pressed_.x() < view().left())
            return;
        drag_ = Drag::selecting;
    }
    if (drag_ == Drag::selecting) {
        const Nanoseconds other = timeAt(at.x());
        select(TimeRange{std::min(anchor_, other), std::max(anchor_, other)});
        return;
    }
    const double by = (last_.x() - at.x()) * view().ns_per_pixel();
    const auto ns = static_cast<Nanoseconds>(std::llround(by));
    scrollTo(static_cast<int>(std::lround(static_cast<double>(scroll_) + last_.y() - at.y())));
    last_ = at;
    move({shown_.begin + ns, shown_.end + ns}, dragging);
}

void TimelineCanvas::mouseReleaseEvent(QMouseEvent* event) {
    const Drag was = std::exchange(drag_, Drag::none);
    if (was == Drag::none) return;
    event->accept();
    if (was == Drag::undecided && event->button() == Qt::LeftButton) click(event->position());
}

void TimelineCanvas::click(QPointF at) {
    const report::TimelineHit found = hit(at);
    if (found.band && found.band->kind == report::TimelineBand::Kind::group) {
        closed_.resize(timeline_->groups().size() + 1);
        closed_[found.band->index] = !closed_[found.band->index];
        update();
        scrollTo(static_cast<int>(scroll_));
        Q_EMIT scrolled();
        return;
    }
    if (found.item && !found.item->folded()) {
        const SpanRef span{static_cast<std::uint32_t>(found.band->index), found.item->first};
        setFocused(span);
        Q_EMIT picked(span);
        return;
    }
    setFocused(std::nullopt);
    if (!found.item && !found.in_gutter) select(std::nullopt);
}

/// To the span, or into the folded block.
void TimelineCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    event->accept();
    if (!timeline_) return;
    const report::TimelineHit found = hit(event->position());
    if (!found.item) return;
    const Nanoseconds margin = std::max<Nanoseconds>(found.item->time.length() / 10, 5);
    show({found.item->time.begin - margin, found.item->time.end + margin});
}

/// Along a row, or to the span of another row that is nearest in time.
void TimelineCanvas::step(int along, int across) {
    const auto rows = static_cast<int>(timeline_->row_count());
    if (!marks_.focused) {
        for (int row = 0; row < rows; ++row) {
            const auto [first, last] = timeline_->touching(static_cast<std::size_t>(row), shown_);
            if (first < last) return setFocused(SpanRef{static_cast<std::uint32_t>(row), first});
        }
        return;
    }
    SpanRef at = *marks_.focused;
    if (along != 0) {
        const auto count = static_cast<std::int64_t>(timeline_->spans(at.row).size());
        const std::int64_t next = std::int64_t{at.index} + along;
        if (next < 0 || next >= count) return;
        at.index = static_cast<std::uint32_t>(next);
        return setFocused(at);
    }
    const profile::Span& from = timeline_->span(at);
    const Nanoseconds middle = from.begin + from.duration() / 2;
    for (int row = static_cast<int>(at.row) + across; row >= 0 && row < rows; row += across) {
        const auto spans = timeline_->spans(static_cast<std::size_t>(row));
        if (spans.empty()) continue;
        const auto after = std::partition_point(
            spans.begin(), spans.end(), [&](const profile::Span& s) { return s.begin <= middle; });
        const auto index = static_cast<std::uint32_t>(after - spans.begin());
        return setFocused(SpanRef{static_cast<std::uint32_t>(row), index == 0 ? 0 : index - 1});
    }
}

void TimelineCanvas::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Find)) return Q_EMIT findAsked();
    if (!timeline_ || (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier |
                                             Qt::MetaModifier)) != Qt::NoModifier)
        return QWidget::keyPressEvent(event);
    const auto sideways = [this](int direction) {
        const Nanoseconds by =
            direction *
            std::max<Nanoseconds>(
                static_cast<Nanoseconds>(static_cast<double>(shown_.length()) / step_of_view), 1);
        move({shown_.begin + by, shown_.end + by}, panning);
    };
    const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
    switch (event->key()) {
    case Qt::Key_W:
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoom(time_key_zoom);
    case Qt::Key_S:
    case Qt::Key_Minus:
    case Qt::Key_Underscore:
        return zoom(1 / time_key_zoom);
    case Qt::Key_A:
        return sideways(-1);
    case Qt::Key_D:
        return sideways(1);
    case Qt::Key_F:
        return fit();
    case Qt::Key_Home:
        return fitRun();
    case Qt::Key_End:
        return Q_EMIT endAsked();
    case Qt::Key_Left:
        return step(-1, 0);
    case Qt::Key_Right:
        return step(1, 0);
    case Qt::Key_Up:
        return step(0, -1);
    case Qt::Key_Down:
        return step(0, 1);
    case Qt::Key_PageUp:
        return scrollTo(static_cast<int>(scroll_) - height() / 2);
    case Qt::Key_PageDown:
        return scrollTo(static_cast<int>(scroll_) + height() / 2);
    case Qt::Key_Backspace:
        return shift ? goForward() : goBack();
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (!marks_.focused) return;
        Q_EMIT picked(*marks_.focused);
        {
            const profile::Span& span = timeline_->span(*marks_.focused);
            const Nanoseconds margin = std::max<Nanoseconds>(span.duration() / 2, 5);
            show({span.begin - margin, span.end + margin});
        }
        return;
    case Qt::Key_Escape:
        setFocused(std::nullopt);
        select(std::nullopt);
        Q_EMIT cleared();
        return;
    default:
        return QWidget::keyPressEvent(event);
    }
}

bool TimelineCanvas::event(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) update();
    // Ctrl+F finds spans while the focus is here, whatever the window binds it to.
    if (event->type() == QEvent::ShortcutOverride &&
        static_cast<QKeyEvent*>(event)->matches(QKeySequence::Find)) {
        event->accept();
        return true;
    }
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const report::TimelineHit found = hit(QPointF(help->pos()));
    if (!found.item) {
        QToolTip::hideText();
        event->ignore();
        return true;
    }
    QToolTip::showText(
        help->globalPos(),
        found.item->folded()
            ? item_words(*timeline_, found.band->index, *found.item)
            : wordsOf({static_cast<std::uint32_t>(found.band->index), found.item->first}),
        this);
    return true;
}

void TimelineCanvas::focusInEvent(QFocusEvent*) {
    update();
}

void TimelineCanvas::focusOutEvent(QFocusEvent*) {
    update();
}

} // namespace blockloom::ui
