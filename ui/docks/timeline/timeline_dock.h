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
class TimelineMinimap;
class TimelineSide;
class TimelineTwin;

/// Shows the run that goes on, its newest spans as they come, until somebody looks at a place of it
/// more closely: then it is held. Afterwards the run that was watched, else the one that is A in
/// Runs. Its spans are read off the GUI thread; statistics of the
/// selected range follow the same way. A task that is selected is outlined here, and a span that is
/// clicked selects its task where the open range has its block.
class TimelineDock : public Dock {
    Q_OBJECT

public:
    TimelineDock(Session* session, Runs* runs, QWidget* parent = nullptr);
    ~TimelineDock() override;

    [[nodiscard]] TimelineCanvas* canvas() const;
    [[nodiscard]] TimelineMinimap* minimap() const;
    [[nodiscard]] TimelineSide* side() const;
    [[nodiscard]] TimelineTwin* twin() const;
    [[nodiscard]] bool settled() const;    ///< nothing is being read, added up or asked
    [[nodiscard]] QString message() const; ///< in place of the canvas; empty: it is shown
    /// Whether what is shown is of the run that goes on, and whether it grows in front of the user.
    [[nodiscard]] bool isLive() const;
    [[nodiscard]] bool isFollowing() const;

    // How its user likes it: kept from one start to the next.
    [[nodiscard]] bool logCounts() const; ///< of the histogram
    void setLogCounts(bool logarithmic);

    /// Writes what is shown, by the file's ending: csv (the spans of the selected or shown range),
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

    struct State;
    std::unique_ptr<State> state_;
};

} // namespace blockloom::ui
