// The dock "Timeline": what a kept run did, lane by lane, from the whole run to nanoseconds.
#pragma once

#include "base/result.h"
#include "docks/dock.h"
#include "profile/span_statistics.h"
#include "profile/timeline.h"

#include <memory>
#include <vector>

namespace blockloom::ui {

class Runs;
class Session;
struct LiveView;
struct RunSpans;
class TimelineCanvas;
class Minimap;
class TimelineSide;
class TimelineTwin;

/// During a run it shows the newest spans until the user looks at a place more closely: then the
/// view stops scrolling. Afterwards it shows the run that was watched, else run A of Runs. Spans
/// are read, and statistics of the selected range are computed, off the GUI thread. A selected task
/// is outlined here, and clicking a span selects its task if the open range has its block.
class TimelineDock : public Dock {
    Q_OBJECT

public:
    TimelineDock(Session* session, Runs* runs, QWidget* parent = nullptr);
    ~TimelineDock() override;

    [[nodiscard]] TimelineCanvas* canvas() const;
    [[nodiscard]] Minimap* minimap() const;
    [[nodiscard]] TimelineSide* side() const;
    [[nodiscard]] TimelineTwin* twin() const;
    [[nodiscard]] bool settled() const;    ///< nothing is being read or computed
    [[nodiscard]] QString message() const; ///< in place of the canvas; empty: it is shown
    /// Whether the run in progress is shown, and whether the view follows it.
    [[nodiscard]] bool isLive() const;
    [[nodiscard]] bool isFollowing() const;

    // User preferences, kept between sessions.
    [[nodiscard]] bool logCounts() const; ///< in the histogram
    void setLogCounts(bool logarithmic);

    /// Writes what is shown; format by extension: csv (the spans of the selected or visible range),
    /// png, svg, pdf.
    Status exportTo(const QString& path) const;

Q_SIGNALS:
    void logCountsChanged(bool logarithmic);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void connectParts();
    void connectLive();
    void showRuns();
    void load();
    void take(const RunSpans& loaded);
    void showLiveRun();
    void grow(const LiveView& view);
    void showLive();
    void showView();
    void showShares(const std::vector<float>& host, const std::vector<float>& device);
    void showRange();
    void askStatistics();
    void showStatistics(const std::shared_ptr<const profile::Timeline>& timeline,
                        const std::shared_ptr<const profile::RangeStatistics>& statistics,
                        bool whole);
    void askMarked();
    void showLegend();
    void followSession();
    void selectTaskOf(profile::SpanRef span);
    void askWait(bool known);
    void findNext(const QString& text);
    void askExport();
    void fitSize();

    struct State;
    std::unique_ptr<State> state_;
};

} // namespace blockloom::ui
