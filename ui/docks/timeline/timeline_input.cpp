// Pointer and keys of a TimelineCanvas.
#include "docks/timeline/timeline_canvas.h"
#include "models/span_words.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace blockloom::ui {
namespace {

constexpr double notch = 1.25, fine_notch = 1.05, key_zoom = 1.5;
constexpr double step_of_view = 8; ///< A and D move by this part of what is shown
constexpr int wheel_scroll = 60;
constexpr double edge_reach = 4; ///< pixels around an end of the selection, in the ruler

} // namespace

using profile::SpanRef;
using profile::TimeRange;

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
        return zoom(key_zoom);
    case Qt::Key_S:
    case Qt::Key_Minus:
    case Qt::Key_Underscore:
        return zoom(1 / key_zoom);
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
    QToolTip::showText(help->globalPos(), item_words(*timeline_, found.band->index, *found.item),
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
