// How a TimelineDock shows a run while it goes on.
#include "docks/timeline/timeline_state.h"

#include "base/clock.h"
#include "canvas/panel_bar.h"
#include "look/theme_style.h"
#include "models/run_words.h"
#include "runs/run_progress.h"
#include "session/runs.h"
#include "text/numbers.h"

#include <QComboBox>
#include <QToolButton>

#include <utility>

namespace blockloom::ui {

bool TimelineDock::isLive() const {
    return state_->live;
}

bool TimelineDock::isFollowing() const {
    return state_->following;
}

void TimelineDock::connectLive() {
    State& s = *state_;
    s.spans = new LiveSpans(s.runs, this);
    connect(s.spans, &LiveSpans::seen, this,
            [this](const std::shared_ptr<const LiveView>& view) { grow(*view); });
    connect(s.runs, &Runs::liveChanged, this, &TimelineDock::followRun);
    connect(this, &QDockWidget::visibilityChanged, this, &TimelineDock::followRun);
    // Whoever moves the view or marks something wants to look at it: it stands still.
    const auto hold = [this] {
        if (state_->live && !state_->growing) setFollowing(false);
    };
    connect(s.canvas, &TimelineCanvas::viewChanged, this, hold);
    connect(s.canvas, &TimelineCanvas::selectionChanged, this, hold);
    connect(s.canvas, &TimelineCanvas::focusedChanged, this, hold);
    connect(s.side, &TimelineSide::brushed, this, hold);
    connect(s.canvas, &TimelineCanvas::endAsked, this, [this] {
        if (state_->live) setFollowing(true);
    });
    connect(s.canvas, &TimelineCanvas::painted, this, [this](qint64 ns) {
        if (state_->following) state_->spans->addCost(ns);
    });
    connect(s.follow, &QToolButton::clicked, this, &TimelineDock::setFollowing);
}

/// A run began, ended, or was cancelled; or this panel came into view.
void TimelineDock::followRun() {
    State& s = *state_;
    const auto live = s.runs->live();
    const bool running = s.runs->running();
    if (running && live != s.watched.lock()) {
        s.watched = live;
        s.wanted = s.following = true;
        showRuns(); // the list has one more
    }
    if (!running && (s.wanted || s.live || s.run->findData(live_run_key) >= 0)) {
        const bool was = s.live;
        s.wanted = false;
        endLive();
        s.of_last_made = was && live != nullptr; // else it was cancelled
        s.a.clear();                             // known when it is listed
        const QSignalBlocker quiet(s.run);
        if (const int at = s.run->findData(live_run_key); at >= 0) s.run->removeItem(at);
        // What was kept is read as soon as it is listed; until then the last that was seen stays.
        if (!s.of_last_made) showRuns();
    }
    s.spans->setWanted(running && s.wanted && s.following && isVisible());
}

void TimelineDock::grow(const LiveView& view) {
    State& s = *state_;
    if (!s.wanted || !s.following || view.timeline->row_count() == 0) return;
    if (!s.live) {
        s.live = true;
        s.loading->cancel();
        s.adding->cancel();
        s.marking->cancel();
        s.shown_run.clear();
        s.trace.reset();
        s.measured.reset();
        setBefore(false);
        clearError();
        showEmpty(false);
        showMessage({});
        load(); // the list says so
    }
    Stopwatch watch;
    const auto live = s.runs->live();
    if (live != nullptr) s.kept = runs::progress_of(*live->latest()).run;
    const bool was = std::exchange(s.growing, true);
    if (s.canvas->follow(view.timeline, view.newest)) {
        s.side->setStatistics(view.timeline, view.statistics, TimelineSide::Of::newest);
        s.minimap->setShares(view.host, view.device, time_text(view.timeline->duration()));
        s.minimap->setDeviceColour(colour_of(s.kept, current_theme()));
        followSession();
        showLegend();
    }
    s.growing = was;
    s.spans->addCost(watch.lap());
}

/// Held: what is shown stands still and can be looked at as a kept run can.
void TimelineDock::setFollowing(bool following) {
    State& s = *state_;
    s.following = following;
    s.spans->setWanted(s.runs->running() && s.wanted && following && isVisible());
    if (!s.live) return;
    showLive();
    if (!following) askStatistics();
}

void TimelineDock::endLive() {
    State& s = *state_;
    s.live = s.following = false;
    s.spans->setWanted(false);
    s.bar->setWanted(s.follow, false);
}

/// What is told in the bar of a run that goes on.
void TimelineDock::showLive() {
    State& s = *state_;
    const auto timeline = s.canvas->timeline();
    s.bar->setWanted(s.follow, true);
    s.follow->setChecked(s.following);
    if (!timeline) return;
    const QString all = time_text(timeline->duration());
    const QString shown = time_text(s.canvas->shown().length());
    if (s.following)
        s.hint->setTexts(
            {tr("newest %1 of %2 so far · zoom, move or select holds it").arg(shown, all),
             tr("newest %1 of %2 so far").arg(shown, all), shown, QString()});
    else
        s.hint->setTexts({tr("held at %1, newest spans only · Follow or End goes on").arg(all),
                          tr("held at %1 · End follows").arg(all), tr("held"), QString()});
}

} // namespace blockloom::ui
