// The timeline of a run: lanes over time, painted directly for the visible part, however many spans
// there are.
#pragma once

#include "docks/timeline/view_history.h"
#include "report/timeline_picture.h"

#include <QImage>
#include <QWidget>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace blockloom::ui {

/// The wheel zooms at the cursor (over the lane names: scrolls; with Shift: moves in time), a drag
/// selects, a drag with the middle button or with Shift moves. Keys: W S zoom, A D move, F fits the
/// selection and then the run, Home fits the run, End shows the newest part of a run in progress,
/// arrow keys step through spans, Return zooms to the span, Escape clears, Backspace goes back
/// (with Shift: forward), Page Up and Page Down scroll, Ctrl+F requests the search field. The
/// accessible description is the tooltip of the span that the arrow keys are on.
class TimelineCanvas : public QWidget {
    Q_OBJECT

public:
    explicit TimelineCanvas(QWidget* parent = nullptr);

    /// Null: none. Shows the whole run; selection, marks and history are cleared.
    void setTimeline(std::shared_ptr<const profile::Timeline> timeline);
    [[nodiscard]] std::shared_ptr<const profile::Timeline> timeline() const { return timeline_; }
    /// What is to be said of a span besides; empty: nothing. Null: nothing of any.
    using About = std::function<QString(profile::SpanRef span)>;
    void setAbout(About about) { about_ = std::move(about); }
    /// More of the same run, with `range` visible: closed groups and the scroll position are kept,
    /// marks are cleared. False: not now, because the pointer is in use.
    bool follow(std::shared_ptr<const profile::Timeline> timeline, profile::TimeRange range);

    [[nodiscard]] report::TimelineView view() const; ///< with the widget's size
    [[nodiscard]] const report::TimelineMarks& marks() const { return marks_; }
    [[nodiscard]] scene::DisplayList list() const; ///< what is painted
    /// What the last paint drew and folded.
    [[nodiscard]] const scene::Coverage& coverage() const { return coverage_; }

    [[nodiscard]] profile::TimeRange shown() const { return shown_; }
    using QWidget::show;
    void show(profile::TimeRange range); ///< adds a step to the history
    void pan(profile::TimeRange range);  ///< merged into one step with preceding moves
    void zoom(double factor);            ///< around the middle
    void fit(); ///< fits the selection or, if there is none or it is already fitted, the run
    void fitRun();
    void goBack();
    void goForward();
    [[nodiscard]] bool canGoBack() const { return history_.canGoBack(); }
    [[nodiscard]] bool canGoForward() const { return history_.canGoForward(); }

    void select(std::optional<profile::TimeRange> range);
    void setBrushed(std::shared_ptr<const profile::MarkedSpans> marked);
    void setPicked(std::vector<profile::SpanRef> spans);
    /// What the selected task waited for, as arrows and in words.
    void setWaited(std::vector<report::TimelineArrow> arrows, const QString& words);
    void setFocused(std::optional<profile::SpanRef> span); ///< also brings it into view
    void bringIntoView(profile::SpanRef span);

    [[nodiscard]] int scrollRange() const; ///< pixels that it can be scrolled by
    void scrollTo(int pixels);
    QSize sizeHint() const override { return {640, 320}; }
    QSize minimumSizeHint() const override { return {280, 80}; }

Q_SIGNALS:
    void viewChanged();                 ///< the visible range or the history changed
    void scrolled();                    ///< scroll position or range changed
    void selectionChanged();            ///< the selected time range changed
    void picked(profile::SpanRef span); ///< clicked, or Return on it
    void focusedChanged();
    void cleared();   ///< Escape: brushed bins are to be cleared, too
    void findAsked(); ///< Ctrl+F
    void endAsked();  ///< End
    void painted(qint64 ns);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    enum Move { jump = -1, wheeling, zooming, panning, dragging };
    enum class Drag { none, undecided, selecting, moving };
    void move(profile::TimeRange range, Move kind);
    [[nodiscard]] report::TimelineHit hit(QPointF at) const;
    [[nodiscard]] Nanoseconds timeAt(double x) const; ///< inside the run
    void step(int along, int across);
    void describe();
    [[nodiscard]] QString wordsOf(profile::SpanRef span) const;
    void click(QPointF at);

    std::shared_ptr<const profile::Timeline> timeline_;
    profile::TimeRange shown_;
    report::TimelineMarks marks_;
    About about_;
    QString wait_; ///< why the selected task waited
    std::vector<bool> closed_;
    float scroll_ = 0;
    ViewHistory<profile::TimeRange> history_;
    scene::Coverage coverage_;
    QImage frame_; ///< the painted picture; its memory is reused
    Drag drag_ = Drag::none;
    QPointF pressed_, last_;
    Nanoseconds anchor_ = 0;
};

} // namespace blockloom::ui

Q_DECLARE_METATYPE(blockloom::profile::SpanRef)
