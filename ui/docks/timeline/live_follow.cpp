#include "docks/timeline/live_follow.h"

#include "base/clock.h"
#include "session/live_spans.h"
#include "session/runs.h"

#include <utility>

namespace blockloom::ui {

LiveFollow::LiveFollow(Runs* runs, QObject* parent)
    : QObject(parent), runs_(runs), spans_(new LiveSpans(runs, this)) {
    connect(spans_, &LiveSpans::seen, this,
            [this](const std::shared_ptr<const LiveView>& view) { grow(*view); });
    connect(runs_, &Runs::liveChanged, this, &LiveFollow::look);
}

/// What is being laid out posts to this object: it ends while it still exists.
LiveFollow::~LiveFollow() {
    delete spans_;
}

void LiveFollow::setVisible(bool visible) {
    visible_ = visible;
    look();
}

void LiveFollow::choose(bool live) {
    wanted_ = live;
    if (live)
        setFollowing(true);
    else if (live_)
        end();
}

/// A run began, ended, or was cancelled; or the panel came into view.
void LiveFollow::look() {
    const auto live = runs_->live();
    const bool running = runs_->running();
    if (running && live != watched_.lock()) {
        watched_ = live;
        wanted_ = following_ = listed_ = true;
        Q_EMIT began();
    }
    if (!running && (wanted_ || live_ || listed_)) {
        const bool was = live_;
        wanted_ = listed_ = false;
        end();
        Q_EMIT ended(was, live != nullptr); // no record: it was cancelled
    }
    want();
}

void LiveFollow::grow(const LiveView& view) {
    if (!wanted_ || !following_ || view.timeline->row_count() == 0) return;
    if (!std::exchange(live_, true)) Q_EMIT tookOver();
    Stopwatch watch;
    const bool was = std::exchange(growing_, true);
    Q_EMIT grew(view);
    growing_ = was;
    addCost(watch.lap());
}

/// Stopped: the view does not move and can be used like that of a kept run.
void LiveFollow::setFollowing(bool following) {
    following_ = following;
    want();
    if (live_) Q_EMIT changed();
}

void LiveFollow::hold() {
    if (live_ && !growing_) setFollowing(false);
}

void LiveFollow::addCost(std::int64_t ns) {
    spans_->addCost(ns);
}

void LiveFollow::want() {
    spans_->setWanted(runs_->running() && wanted_ && following_ && visible_);
}

void LiveFollow::end() {
    live_ = following_ = false;
    spans_->setWanted(false);
    Q_EMIT changed();
}

} // namespace blockloom::ui
