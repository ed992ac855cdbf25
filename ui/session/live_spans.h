// The spans of a run in progress, read only while somebody looks: no more often than can be seen,
// and for at most a hundredth of the machine's time.
#pragma once

#include "profile/recorder.h"
#include "profile/span_statistics.h"

#include <QObject>
#include <QTimer>

#include <memory>
#include <vector>

namespace blockloom::execute {
class Recording;
}

namespace blockloom::ui {

class BackgroundWork;
class Runs;

/// What had been recorded at some moment. Immutable.
struct LiveView {
    std::shared_ptr<const profile::Timeline> timeline; ///< the newest spans of each lane
    profile::TimeRange newest; ///< the range with all its spans; a few seconds at most
    std::shared_ptr<const profile::RangeStatistics> statistics; ///< of `newest`
    std::vector<float> host, device; ///< busy shares of the whole run so far
};

/// Lives on the GUI thread; reads and lays out spans off it. It does nothing at rest or while
/// nobody looks.
class LiveSpans : public QObject {
    Q_OBJECT

public:
    explicit LiveSpans(Runs* runs, QObject* parent = nullptr);
    ~LiveSpans() override; ///< waits for the layout in progress

    void setWanted(bool wanted);
    [[nodiscard]] bool isLooking() const { return pace_.isActive() || isReading(); }
    /// GUI thread time spent on showing a view, which counts as well.
    void addCost(Nanoseconds cost) { cost_ += cost; }

Q_SIGNALS:
    void seen(std::shared_ptr<const blockloom::ui::LiveView> view);

private:
    [[nodiscard]] bool isReading() const;
    void look();
    void rest(); ///< waits until it may look again

    Runs* runs_;
    BackgroundWork* work_;
    QTimer pace_;
    bool wanted_ = false;
    bool stood_still_ = false;                            ///< paused, and everything has been shown
    Nanoseconds cost_ = 0;                                ///< processor time of the last view
    std::shared_ptr<const execute::Recording> recording_; ///< the recording that `busy_` belongs to
    std::shared_ptr<profile::BusySoFar> busy_;            ///< used by one job at a time
};

} // namespace blockloom::ui
