// The spans of a run while it goes on, as somebody looks at them: no more often than can be seen,
// and for no more than a hundredth of the machine's time.
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

/// What was recorded up to a moment. Immutable once made.
struct LiveView {
    std::shared_ptr<const profile::Timeline> timeline; ///< of the newest spans of each lane
    profile::TimeRange newest; ///< all spans of it are there; a few seconds at most
    std::shared_ptr<const profile::RangeStatistics> statistics; ///< of `newest`
    std::vector<float> host, device;                            ///< busy shares of all of it so far
};

/// Lives on the GUI thread; spans are read and laid out off it. At rest, and while nobody wants to
/// look, it does nothing.
class LiveSpans : public QObject {
    Q_OBJECT

public:
    explicit LiveSpans(Runs* runs, QObject* parent = nullptr);
    ~LiveSpans() override; ///< waits for what is being laid out

    void setWanted(bool wanted);
    [[nodiscard]] bool isLooking() const { return pace_.isActive() || isReading(); }
    /// Time of the GUI thread that a view took to be shown: it counts as well.
    void addCost(Nanoseconds cost) { cost_ += cost; }

Q_SIGNALS:
    void seen(std::shared_ptr<const blockloom::ui::LiveView> view);

private:
    [[nodiscard]] bool isReading() const;
    void look();
    void rest(); ///< until it may look again

    Runs* runs_;
    BackgroundWork* work_;
    QTimer pace_;
    bool wanted_ = false;
    bool stood_still_ = false;                            ///< paused: what there is has been seen
    Nanoseconds cost_ = 0;                                ///< of the last view, processor time
    std::shared_ptr<const execute::Recording> recording_; ///< what `busy_` is of
    std::shared_ptr<profile::BusySoFar> busy_;            ///< one job at a time has it
};

} // namespace blockloom::ui
