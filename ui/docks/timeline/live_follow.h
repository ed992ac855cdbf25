// Whether the Timeline shows the run in progress, and whether it still grows in front of the user.
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

/// A run that begins is shown by itself and followed. Whoever moves the view or marks something
/// holds it; whoever chooses another run ends it.
class LiveFollow : public QObject {
    Q_OBJECT

public:
    explicit LiveFollow(Runs* runs, QObject* parent = nullptr);
    ~LiveFollow() override;

    [[nodiscard]] bool isLive() const { return live_; }           ///< it is what is shown
    [[nodiscard]] bool isFollowing() const { return following_; } ///< and it grows
    [[nodiscard]] bool isGrowing() const { return growing_; }     ///< the view changes by itself
    void setVisible(bool visible); ///< nothing is read for a panel that nobody sees
    void choose(bool live);        ///< the user chose the run in progress, or another one
    void setFollowing(bool following);
    void hold();                   ///< the user looks at a place; nothing while the view grows
    void addCost(std::int64_t ns); ///< time of the GUI thread that showing a view took

Q_SIGNALS:
    void began();                           ///< a run is in progress: lists have one more
    void ended(bool shown, bool completed); ///< `shown`: it was what is shown
    void tookOver();                        ///< the first view of it comes now
    void grew(const blockloom::ui::LiveView& view);
    void changed(); ///< isLive or isFollowing

private:
    void look();
    void grow(const LiveView& view);
    void want();
    void end();

    Runs* runs_;
    LiveSpans* spans_;
    std::weak_ptr<execute::LiveRun> watched_; ///< the last one that began
    bool listed_ = false;                     ///< began() was not followed by ended() yet
    bool wanted_ = false;                     ///< nobody chose another run meanwhile
    bool live_ = false, following_ = false, growing_ = false, visible_ = false;
};

} // namespace blockloom::ui
