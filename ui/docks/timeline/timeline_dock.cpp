#include "docks/timeline/timeline_dock.h"

#include "canvas/legend_strip.h"
#include "docks/parts/export_menu.h"
#include "docks/parts/minimap.h"
#include "docks/parts/run_box.h"
#include "docks/timeline/live_follow.h"
#include "docks/timeline/span_analysis.h"
#include "docks/timeline/span_histogram.h"
#include "docks/timeline/span_tasks.h"
#include "docks/timeline/task_wait.h"
#include "docks/timeline/timeline_bar.h"
#include "docks/timeline/timeline_canvas.h"
#include "docks/timeline/timeline_export.h"
#include "docks/timeline/timeline_page.h"
#include "docks/timeline/timeline_side.h"
#include "docks/timeline/timeline_twin.h"
#include "look/fitting_label.h"
#include "look/theme_style.h"
#include "models/run_words.h"
#include "models/span_words.h"
#include "report/phase_charts.h"
#include "runs/kept_run.h"
#include "runs/run_progress.h"
#include "session/background_work.h"
#include "session/live_spans.h"
#include "session/run_spans.h"
#include "session/runs.h"
#include "session/session.h"
#include "text/numbers.h"
#include "text/to_qt.h"

#include <QEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>
#include <optional>
#include <utility>

namespace blockloom::ui {

using profile::SpanRef;

namespace {

/// Pixels of the dock: below the first the side yields; below the second it is shown if it is asked
/// for, so that the lanes have more room than their names and the side together.
constexpr int room_for_side = 720, unasked_side = 960;
constexpr int low_timeline = 560; ///< pixels of the dock; below it the legend is a single row

/// The run in progress in the list of runs, in place of an id.
const QString live_run_key = QStringLiteral(":live");

} // namespace

struct TimelineDock::State {
    Session* session = nullptr;
    Runs* runs = nullptr;
    RunSpansReader* loading = nullptr; ///< of a run that has finished
    SpanAnalysis* analysis = nullptr;
    TaskWait* wait = nullptr; ///< why the selected task waited
    LiveFollow* follow = nullptr;
    TimelinePage* page = nullptr;
    // Parts of the page.
    TimelineBar* bar = nullptr;
    Minimap* minimap = nullptr;
    TimelineCanvas* canvas = nullptr;
    TimelineSide* side = nullptr;
    TimelineTwin* twin = nullptr;
    LegendStrip* legend = nullptr;
    runs::KeptRun kept;              ///< the run that is shown
    QString shown_run;               ///< folder and id: what was read last
    bool own_pick = false;           ///< the selection is being changed from here
    bool of_last_made = false;       ///< the run that was watched is shown, until A is another one
    QString a;                       ///< A, when that began; null: not known yet
    std::optional<bool> side_wanted; ///< by its button; none: as the width allows
};

TimelineDock::TimelineDock(Session* session, Runs* runs, QWidget* parent)
    : Dock(QStringLiteral("timeline"), tr("Timeline"), parent), state_(std::make_unique<State>()) {
    State& s = *state_;
    s.session = session;
    s.runs = runs;
    s.loading = new RunSpansReader(runs, this);
    s.analysis = new SpanAnalysis(this);
    s.wait = new TaskWait(this);
    s.follow = new LiveFollow(runs, this);
    s.page = new TimelinePage;
    s.bar = s.page->bar;
    s.minimap = s.page->minimap;
    s.canvas = s.page->canvas;
    s.side = s.page->side;
    s.twin = s.page->twin;
    s.legend = s.page->legend;
    setBody(s.page);
    setMain(s.canvas);
    setTableTwin([this](bool on) {
        state_->page->setTable(on);
        showRange();
    });
    setExport([this] { askExport(); });
    setHelp(tr(
        "<b>Timeline</b>: what did each worker and each device do, and when? Every bar is "
        "measured; spans narrower than three pixels are merged into hatched blocks that show their "
        "count. The wheel zooms at the cursor; a drag selects a range, to which the table of "
        "kinds and the histogram then refer. Marking bins of the histogram marks their spans "
        "here, too. Keys: W S zoom, A D move, F fits, arrow keys step from span to span, Return "
        "zooms to the current one, Backspace goes back, Escape clears. A device's lanes use its "
        "own clock, "
        "converted to the host's. Arrows point to the selected task from the tasks it waited "
        "for; dashed arrows start at the work that its worker was busy with. During a run the "
        "newest spans are shown until you zoom, move or select; End resumes auto-scroll."));
    connectParts();
    connectLive();
    showRuns();
    s.follow->setVisible(isVisible());
}

/// Jobs post to this object, so they end while it still exists.
TimelineDock::~TimelineDock() {
    delete state_->follow;
    delete state_->loading;
    delete state_->analysis;
    delete state_->wait;
}

void TimelineDock::connectParts() {
    State& s = *state_;
    connect(s.page->act, &QPushButton::clicked, this, [this] { state_->runs->start(); });
    connect(s.bar->run, &QComboBox::activated, this, [this](int at) {
        State& now = *state_;
        const QString id = now.bar->run->itemData(at).toString();
        now.follow->choose(id == live_run_key);
        if (id == live_run_key) return;
        now.of_last_made = false;
        now.runs->choose(Runs::Side::a, id);
        load(); // it may have been A before
    });
    connect(s.bar->side, &QToolButton::clicked, this, [this](bool on) {
        state_->side_wanted = on;
        fitSize();
    });
    connect(s.bar->find, &QLineEdit::returnPressed, this,
            [this] { findNext(state_->bar->find->text()); });
    connect(s.canvas, &TimelineCanvas::viewChanged, this, &TimelineDock::showView);
    connect(s.canvas, &TimelineCanvas::selectionChanged, this, [this] {
        askStatistics();
        showRange();
    });
    connect(s.canvas, &TimelineCanvas::picked, this, &TimelineDock::selectTaskOf);
    connect(s.twin, &TimelineTwin::chosen, this, [this](SpanRef span) {
        state_->canvas->setFocused(span);
        selectTaskOf(span);
    });
    connect(s.wait, &TaskWait::found, this,
            [this](const std::vector<report::TimelineArrow>& arrows, const QString& sentence) {
                state_->canvas->setWaited(arrows, sentence);
                state_->side->setWait(sentence);
                showLegend();
            });
    connect(s.side, &TimelineSide::brushed, this, &TimelineDock::askMarked);
    connect(s.side->histogram(), &SpanHistogram::logCountsChanged, this,
            &TimelineDock::logCountsChanged);
    connect(s.loading, &RunSpansReader::ready, this,
            [this](const std::shared_ptr<const RunSpans>& loaded) {
                setBefore(false);
                take(*loaded);
            });
    connect(s.analysis, &SpanAnalysis::added, this, &TimelineDock::showStatistics);
    connect(s.analysis, &SpanAnalysis::marked, this,
            [this](const auto& timeline, const auto& spans) {
                if (timeline != state_->canvas->timeline()) return;
                state_->canvas->setBrushed(spans);
                state_->side->setMarked(spans->count());
                showLegend();
            });
    connect(s.runs, &Runs::keptChanged, this, &TimelineDock::showRuns);
    connect(s.runs, &Runs::comparedChanged, this, &TimelineDock::load);
    connect(s.session, &Session::rangeChanged, this, &TimelineDock::showRuns);
    connect(s.session, &Session::selectionChanged, this, &TimelineDock::followSession);
    connect(s.session, &Session::blockChanged, this, &TimelineDock::followSession);
}

TimelineCanvas* TimelineDock::canvas() const {
    return state_->canvas;
}

Minimap* TimelineDock::minimap() const {
    return state_->minimap;
}

TimelineSide* TimelineDock::side() const {
    return state_->side;
}

TimelineTwin* TimelineDock::twin() const {
    return state_->twin;
}

bool TimelineDock::logCounts() const {
    return state_->side->histogram()->logCounts();
}

void TimelineDock::setLogCounts(bool logarithmic) {
    state_->side->histogram()->setLogCounts(logarithmic);
}

bool TimelineDock::settled() const {
    return !state_->loading->running() && !state_->analysis->working() && !state_->wait->working();
}

QString TimelineDock::message() const {
    return state_->page->message();
}

void TimelineDock::showRuns() {
    State& s = *state_;
    const QSignalBlocker quiet(s.bar->run);
    s.bar->run->clear();
    if (s.runs->running()) s.bar->run->addItem(tr("Run in progress"), live_run_key);
    for (const runs::KeptRun& run : s.runs->kept())
        s.bar->run->addItem(run_title(run), to_qt(run.id));
    const QString why = s.runs->whyNot();
    setEmptyPage(
        why.isEmpty()
            ? tr("Replay the open range to see what each worker and device did, and when.")
            : tr("%1. This panel shows what each worker and device did during a run.").arg(why),
        why.isEmpty() ? tr("Run") : QString(), [this] { state_->runs->start(); });
    showEmpty(s.runs->kept().empty() && !s.follow->isLive());
    load();
}

/// The run in progress, if it is being watched; then the same run from its record. Else run A;
/// where only B is chosen, that one.
void TimelineDock::load() {
    State& s = *state_;
    if (s.follow->isLive()) {
        s.bar->run->setCurrentIndex(s.bar->run->findData(live_run_key));
        return;
    }
    const runs::KeptRun* run = s.runs->chosen(Runs::Side::a);
    if (const runs::KeptRun* made = s.runs->lastMade(); s.of_last_made && made != nullptr) {
        const QString a = run == nullptr ? QStringLiteral("-") : to_qt(run->id);
        if (s.a.isNull()) s.a = a;
        s.of_last_made = s.a == a;
        if (s.of_last_made) run = made;
    }
    if (run == nullptr) run = s.runs->chosen(Runs::Side::b);
    s.bar->run->setCurrentIndex(run == nullptr ? -1 : s.bar->run->findData(to_qt(run->id)));
    if (run == nullptr) {
        s.shown_run.clear();
        s.loading->cancel();
        setBefore(false);
        take({});
        return s.page->showMessage(tr("Choose a run above to see its spans."));
    }
    const QString key = s.runs->folder() + QLatin1Char('/') + to_qt(run->id);
    if (key == s.shown_run) return; // only its note or its place in the list has changed
    s.shown_run = key;
    s.kept = *run;
    setBefore(s.canvas->timeline() != nullptr);
    clearError();
    s.loading->read(to_qt(run->id));
}

void TimelineDock::take(const RunSpans& loaded) {
    State& s = *state_;
    s.side->setStatistics(nullptr, nullptr, TimelineSide::Of::run);
    s.side->clearBrush();
    s.canvas->setTimeline(loaded.timeline);
    s.canvas->setAbout([this](profile::SpanRef span) {
        const auto timeline = state_->canvas->timeline();
        return state_->follow->isLive() ? QString() : abort_words(state_->kept, *timeline, span);
    });
    s.wait->setRun(s.kept, loaded.timeline, loaded.trace);
    if (!loaded.error.empty()) {
        showError(tr("The spans cannot be read: %1").arg(to_qt(loaded.error)));
        s.page->showMessage(tr("The spans of this run cannot be read. Choose another one above."));
    } else if (!loaded.timeline) {
        s.page->showMessage(tr("This run was kept without spans. Choose another one above, or "
                               "replay the open range."),
                            s.runs->whyNot().isEmpty() ? tr("Run") : QString());
    } else {
        s.page->showMessage({});
        showShares(loaded.host, loaded.device);
    }
    followSession();
    showLegend();
    showView();
}

void TimelineDock::showShares(const std::vector<float>& host, const std::vector<float>& device) {
    const State& s = *state_;
    s.minimap->setBars({{host, &scene::Theme::control_border}, {device, report::ink_of(s.kept)}});
    s.minimap->setWords(time_text(s.canvas->timeline()->duration()));
}

void TimelineDock::showView() {
    State& s = *state_;
    const auto timeline = s.canvas->timeline();
    s.bar->back->setEnabled(s.canvas->canGoBack());
    s.bar->forward->setEnabled(s.canvas->canGoForward());
    if (!timeline) return;
    const auto duration = static_cast<double>(std::max<Nanoseconds>(timeline->duration(), 1));
    s.minimap->setWindow(static_cast<double>(s.canvas->shown().begin) / duration,
                         static_cast<double>(s.canvas->shown().end) / duration);
    s.bar->hint->setTexts(
        {tr("%1 of %2 shown · wheel zooms, drag selects, W A S D, F fits")
             .arg(time_text(s.canvas->shown().length()), time_text(timeline->duration())),
         tr("%1 of %2 shown")
             .arg(time_text(s.canvas->shown().length()), time_text(timeline->duration())),
         time_text(s.canvas->shown().length()), QString()});
    if (s.follow->isLive()) showLive();
    if (!s.canvas->marks().selected) showRange();
}

/// The rows of the table are those of the selection, else of what is shown.
void TimelineDock::showRange() {
    const State& s = *state_;
    if (s.page->showsTable())
        s.twin->setRange(s.canvas->timeline(),
                         s.canvas->marks().selected.value_or(s.canvas->shown()));
}

/// Of the selected range, else of the whole run.
void TimelineDock::askStatistics() {
    State& s = *state_;
    s.analysis->ask(s.canvas->timeline(), s.canvas->marks().selected);
}

void TimelineDock::showStatistics(const std::shared_ptr<const profile::Timeline>& timeline,
                                  const std::shared_ptr<const profile::RangeStatistics>& statistics,
                                  bool whole) {
    State& s = *state_;
    if (timeline != s.canvas->timeline()) return;
    using Of = TimelineSide::Of;
    s.side->setStatistics(timeline, statistics,
                          !whole                   ? Of::selected
                          : s.follow->isLive()     ? Of::newest
                          : s.kept.repetitions > 1 ? Of::last
                                                   : Of::run);
    askMarked();
}

void TimelineDock::askMarked() {
    State& s = *state_;
    const auto timeline = s.canvas->timeline();
    const auto band = s.side->band();
    if (timeline && band && s.side->statistics())
        return s.analysis->askMarked(timeline, s.side->statistics()->range, *band);
    s.analysis->cancelMarked();
    s.side->setMarked(std::nullopt);
    s.canvas->setBrushed(nullptr);
    showLegend();
}

void TimelineDock::showLegend() {
    State& s = *state_;
    const auto timeline = s.canvas->timeline();
    s.legend->setVisible(timeline != nullptr);
    if (!timeline) return;
    // What no other part of the panel names comes first: the table of kinds has the other colours.
    auto items = report::timeline_legend(*timeline, s.canvas->marks(), current_theme());
    std::stable_partition(items.begin(), items.end(), [](const scene::OverlayLegend& item) {
        return item.sign != scene::OverlayLegend::Sign::filled;
    });
    s.legend->setItems(std::move(items));
    s.legend->setCoverage(coverage_text(s.canvas->coverage()));
}

void TimelineDock::askExport() {
    if (!state_->canvas->timeline()) return;
    const QString run = state_->kept.id.empty() ? QStringLiteral("run") : to_qt(state_->kept.id);
    show_export_menu(this,
                     {tr("Export the timeline"),
                      run + QStringLiteral("-timeline"),
                      {{"csv", tr("Spans as CSV…")},
                       {"png", tr("PNG image…")},
                       {"svg", tr("SVG drawing…")},
                       {"pdf", tr("PDF page…")}},
                      [this](const QString& path) { return exportTo(path); },
                      [this](const QString& message) { showError(message); }},
                     "timelineExport");
}

Status TimelineDock::exportTo(const QString& path) const {
    // Files have the whole legend.
    return export_timeline(*state_->canvas, state_->legend->wholeHeight(state_->canvas->width()),
                           run_title(state_->kept), path);
}

/// Outlines the spans of the selected task; brings the first of them into view where none is and
/// the task was chosen elsewhere.
void TimelineDock::followSession() {
    State& s = *state_;
    const auto timeline = s.canvas->timeline();
    std::vector<SpanRef> spans;
    if (timeline) spans = spans_of_selection(*s.session, *timeline, s.kept);
    const bool others = spans != s.canvas->marks().picked;
    s.canvas->setPicked(spans);
    askWait(!spans.empty());
    if (others) showLegend();
    if (!others || spans.empty() || s.own_pick || s.follow->isGrowing()) return;
    const profile::TimeRange shown = s.canvas->shown();
    for (const SpanRef at : spans) {
        const profile::Span& span = timeline->span(at);
        if (span.end > shown.begin && span.begin < shown.end)
            return s.canvas->bringIntoView(at); // scrolls only
    }
    s.canvas->bringIntoView(spans.front());
}

void TimelineDock::selectTaskOf(SpanRef at) {
    State& s = *state_;
    const auto timeline = s.canvas->timeline();
    if (!timeline) return;
    s.own_pick = true;
    select_task_of(*s.session, *timeline, s.kept, at);
    s.own_pick = false;
}

/// `known`: the run has spans of the selected task.
void TimelineDock::askWait(bool known) {
    const State& s = *state_;
    const auto block = s.session->currentBlock();
    const auto task = s.session->selectedTask();
    if (known && s.wait->hasRun() && block && task) return s.wait->ask(block, *task);
    s.wait->cancel();
    s.canvas->setWaited({}, {});
    s.side->setWait({});
}

void TimelineDock::findNext(const QString& text) {
    State& s = *state_;
    const auto timeline = s.canvas->timeline();
    const QString wanted = text.trimmed().remove(QLatin1Char(','));
    if (!timeline || timeline->row_count() == 0 || wanted.isEmpty()) return;
    if (const auto found = find_span(*timeline, wanted, s.canvas->marks().focused))
        return s.canvas->setFocused(found);
    const QString none = tr("No span matches \"%1\"").arg(text);
    s.bar->find->setToolTip(none);
    s.bar->hint->setTexts({none, tr("Not found"), QString()});
}

bool TimelineDock::isLive() const {
    return state_->follow->isLive();
}

bool TimelineDock::isFollowing() const {
    return state_->follow->isFollowing();
}

void TimelineDock::connectLive() {
    State& s = *state_;
    LiveFollow* follow = s.follow;
    connect(follow, &LiveFollow::began, this, &TimelineDock::showRuns); // the list has one more
    connect(follow, &LiveFollow::ended, this, [this](bool shown, bool completed) {
        State& now = *state_;
        now.of_last_made = shown && completed;
        now.a.clear(); // known when it is listed
        const QSignalBlocker quiet(now.bar->run);
        if (const int at = now.bar->run->findData(live_run_key); at >= 0)
            now.bar->run->removeItem(at);
        // The kept run is read as soon as it is listed; until then the last view stays.
        if (!now.of_last_made) showRuns();
    });
    connect(follow, &LiveFollow::tookOver, this, &TimelineDock::showLiveRun);
    connect(follow, &LiveFollow::grew, this, &TimelineDock::grow);
    connect(follow, &LiveFollow::changed, this, [this] {
        showLive();
        if (isLive() && !isFollowing()) askStatistics();
    });
    connect(this, &QDockWidget::visibilityChanged, this,
            [this] { state_->follow->setVisible(isVisible()); });
    connect(s.canvas, &TimelineCanvas::viewChanged, follow, &LiveFollow::hold);
    connect(s.canvas, &TimelineCanvas::selectionChanged, follow, &LiveFollow::hold);
    connect(s.canvas, &TimelineCanvas::focusedChanged, follow, &LiveFollow::hold);
    connect(s.side, &TimelineSide::brushed, follow, &LiveFollow::hold);
    connect(s.canvas, &TimelineCanvas::endAsked, this, [this] {
        if (isLive()) state_->follow->setFollowing(true);
    });
    connect(s.canvas, &TimelineCanvas::painted, this, [this](qint64 ns) {
        if (isFollowing()) state_->follow->addCost(ns);
    });
    connect(s.bar->follow, &QToolButton::clicked, follow, &LiveFollow::setFollowing);
}

void TimelineDock::showLiveRun() {
    State& s = *state_;
    s.loading->cancel();
    s.analysis->cancel();
    s.shown_run.clear();
    s.wait->setRun({}, nullptr, nullptr);
    setBefore(false);
    clearError();
    showEmpty(false);
    s.page->showMessage({});
    load(); // the list says so
}

void TimelineDock::grow(const LiveView& view) {
    State& s = *state_;
    const auto live = s.runs->live();
    if (live != nullptr) s.kept = runs::progress_of(*live->latest()).run;
    if (!s.canvas->follow(view.timeline, view.newest)) return;
    s.side->setStatistics(view.timeline, view.statistics, TimelineSide::Of::newest);
    showShares(view.host, view.device);
    followSession();
    showLegend();
}

/// The bar's text about a run in progress.
void TimelineDock::showLive() {
    State& s = *state_;
    const auto timeline = s.canvas->timeline();
    s.bar->setWanted(s.bar->follow, s.follow->isLive());
    s.bar->follow->setChecked(s.follow->isFollowing());
    if (!timeline || !s.follow->isLive()) return;
    const QString all = time_text(timeline->duration());
    const QString shown = time_text(s.canvas->shown().length());
    if (s.follow->isFollowing())
        s.bar->hint->setTexts(
            {tr("newest %1 of %2 so far · zoom, move or select to stop auto-scroll")
                 .arg(shown, all),
             tr("newest %1 of %2 so far").arg(shown, all), shown, QString()});
    else
        s.bar->hint->setTexts(
            {tr("Auto-scroll stopped at %1, newest spans only · Auto-scroll or End resumes")
                 .arg(all),
             tr("Auto-scroll stopped at %1 · End resumes").arg(all), tr("stopped"), QString()});
}

void TimelineDock::changeEvent(QEvent* event) {
    Dock::changeEvent(event);
    if (event->type() != QEvent::PaletteChange || !state_ || state_->legend == nullptr) return;
    showLegend();
}

void TimelineDock::resizeEvent(QResizeEvent* event) {
    Dock::resizeEvent(event);
    fitSize();
}

/// The lanes have the room: in a narrow panel the side is shown on request, in a low one the legend
/// is a row.
void TimelineDock::fitSize() {
    const State& s = *state_;
    const bool room = width() >= room_for_side;
    const bool shown = room && s.side_wanted.value_or(width() >= unasked_side);
    s.bar->setWanted(s.bar->side, room);
    s.bar->side->setChecked(shown);
    s.side->setVisible(shown);
    s.legend->setMostRows(height() < low_timeline ? 1 : 2);
}

} // namespace blockloom::ui
