// Whether the Timeline shows the run in progress, and whether it scrolls automatically.
#pragma once

#include <QObject>

#include <cstdint>
#include <memory>

namespace blockloom::execute {
class LiveRun;
}

namespace blockloom::ui {

class LiveSpans;
class Runs;
struct LiveView;

/// A run that starts is shown and followed automatically. Moving the view or marking something
/// stops the scrolling; choosing another run ends it.
class LiveFollow : public QObject {
    Q_OBJECT

public:
    explicit LiveFollow(Runs* runs, QObject* parent = nullptr);
    ~LiveFollow() override;

    [[nodiscard]] bool isLive() const { return live_; }           ///< the run in progress is shown
    [[nodiscard]] bool isFollowing() const { return following_; } ///< and the view follows it
    [[nodiscard]] bool isGrowing() const {
        return growing_;
    }                              ///< the view is changing because of new spans
    void setVisible(bool visible); ///< nothing is read for a hidden panel
    void choose(bool live);        ///< the user chose the run in progress, or another one
    void setFollowing(bool following);
    /// The user looks at one place: stops scrolling; ignored while the view itself changes.
    void hold();
    void addCost(std::int64_t ns); ///< GUI thread time spent on showing a view

Q_SIGNALS:
    void began();                           ///< a run is in progress: lists get an entry for it
    void ended(bool shown, bool completed); ///< `shown`: it was the one shown
    void tookOver();                        ///< its first view follows
    void grew(const blockloom::ui::LiveView& view);
    void changed(); ///< isLive() or isFollowing() changed

private:
    void look();
    void grow(const LiveView& view);
    void want();
    void end();

    Runs* runs_;
    LiveSpans* spans_;
    std::weak_ptr<execute::LiveRun> watched_; ///< the last one that began
    bool listed_ = false;                     ///< began() was not followed by ended() yet
    bool wanted_ = false;                     ///< the user has not chosen another run since
    bool live_ = false, following_ = false, growing_ = false, visible_ = false;
};

} // namespace blockloom::ui
