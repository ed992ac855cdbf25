#include "docks/timeline/timeline_dock.h"

#include "base/clock.h"
#include "base/file.h"
#include "canvas/fitting_label.h"
#include "canvas/legend_strip.h"
#include "docks/parts/export_menu.h"
#include "docks/parts/run_box.h"
#include "docks/timeline/span_histogram.h"
#include "docks/timeline/span_tasks.h"
#include "docks/timeline/task_wait.h"
#include "docks/timeline/timeline_bar.h"
#include "docks/timeline/timeline_canvas.h"
#include "docks/timeline/timeline_minimap.h"
#include "docks/timeline/timeline_side.h"
#include "docks/timeline/timeline_twin.h"
#include "look/plain_text.h"
#include "look/theme_style.h"
#include "models/run_words.h"
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
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace blockloom::ui {

using profile::SpanRef;
using profile::TimeRange;

namespace {

constexpr int side_width = 310;
constexpr int room_for_side = 720; ///< pixels of the dock; below it the side yields

/// What the list of runs has for the run that goes on, in the place of an id.
const QString live_run_key = QStringLiteral(":live");

} // namespace

struct TimelineDock::State {
    Session* session = nullptr;
    Runs* runs = nullptr;
    RunSpansReader* loading = nullptr; ///< of a run that has finished
    BackgroundWork *adding = nullptr, *marking = nullptr;
    TaskWait* wait = nullptr;   ///< why the selected task waited
    LiveSpans* spans = nullptr; ///< of the run that goes on
    TimelineBar* bar = nullptr;
    QStackedWidget *pages = nullptr, *views = nullptr; ///< views or message; canvas or table
    QLabel* sentence = nullptr;
    QPushButton* act = nullptr;
    TimelineMinimap* minimap = nullptr;
    TimelineCanvas* canvas = nullptr;
    QScrollBar* scroll = nullptr;
    TimelineSide* side = nullptr;
    TimelineTwin* twin = nullptr;
    LegendStrip* legend = nullptr;
    runs::KeptRun kept; ///< the run that is shown
    QString shown_run;  ///< folder and id: what was read last
    bool ask_again = false;
    bool own_pick = false; ///< the selection is being changed from here
    // Of the run that goes on.
    std::weak_ptr<execute::LiveRun> watched; ///< the last one that began
    bool wanted = false;                     ///< nobody chose another run meanwhile
    bool live = false;                       ///< it is what is shown
    bool following = false;                  ///< and it grows
    bool growing = false;                    ///< the view changes, but nobody moved it
    bool of_last_made = false; ///< the run that was watched is shown, until A is another one
    QString a;                 ///< A, when that began; null: not known yet
};

TimelineDock::TimelineDock(Session* session, Runs* runs, QWidget* parent)
    : Dock(QStringLiteral("timeline"), tr("Timeline"), parent), state_(std::make_unique<State>()) {
    State& s = *state_;
    s.session = session;
    s.runs = runs;
    s.loading = new RunSpansReader(runs, this);
    s.adding = new BackgroundWork(this);
    s.marking = new BackgroundWork(this);
    s.wait = new TaskWait(this);
    setBody(makeBody());
    setTableTwin([this](bool on) {
        state_->views->setCurrentIndex(on ? 1 : 0);
        showRange();
    });
    setExport([this] { askExport(); });
    setHelp(tr(
        "<b>Timeline</b>: what did each worker and each device do, and when? Every bar is "
        "measured; "
        "spans under three pixels fold into hatched blocks with their count. The wheel zooms at "
        "the cursor, a drag selects and measures: kinds and histogram are of the selected range. "
        "Bins of the histogram that are marked are marked here, too. Keys: W S zoom, A D move, F "
        "fits, arrows walk spans, Return zooms to one, Backspace goes back, Escape clears. A "
        "device's lanes are by its own clock, brought to the host's. Arrows lead to a selected "
        "task from those that it waited for, dashed from what kept its worker busy. While a run "
        "goes on its newest spans are shown as they come, until you zoom, move or select; End "
        "follows again."));
    connectParts();
    connectLive();
    showRuns();
    followRun();
}

/// Jobs post to this object: they end while it still stands.
TimelineDock::~TimelineDock() {
    delete state_->spans;
    delete state_->loading;
    delete state_->adding;
    delete state_->marking;
    delete state_->wait;
}

QWidget* TimelineDock::makeBody() {
    State& s = *state_;
    auto* body = new QWidget;
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    s.bar = new TimelineBar;
    column->addWidget(s.bar);

    s.pages = new QStackedWidget(body);
    auto* split = new QSplitter(Qt::Horizontal, s.pages);
    split->setChildrenCollapsible(false);
    split->setHandleWidth(1);
    s.views = new QStackedWidget(split);
    auto* drawn = new QWidget(s.views);
    auto* lines = new QVBoxLayout(drawn);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(0);
    s.minimap = new TimelineMinimap(drawn);
    s.canvas = new TimelineCanvas(drawn);
    s.scroll = new QScrollBar(Qt::Vertical, drawn);
    s.scroll->setAccessibleName(tr("Lanes"));
    s.legend = new LegendStrip(drawn);
    // The strip above is as wide as the canvas: one time, one place.
    auto* grid = new QGridLayout;
    grid->setSpacing(0);
    grid->addWidget(s.minimap, 0, 0);
    grid->addWidget(s.canvas, 1, 0);
    grid->addWidget(s.scroll, 1, 1);
    grid->setColumnStretch(0, 1);
    grid->setRowStretch(1, 1);
    lines->addLayout(grid, 1);
    lines->addWidget(s.legend);
    s.twin = new TimelineTwin(s.views);
    s.views->addWidget(drawn);
    s.views->addWidget(s.twin);
    s.side = new TimelineSide(split);
    s.side->setMinimumWidth(side_width);
    split->addWidget(s.views);
    split->addWidget(s.side);
    split->setStretchFactor(0, 1);
    split->setSizes({10'000, side_width});
    s.pages->addWidget(split);

    auto* instead = new QWidget(s.pages);
    auto* centre = new QVBoxLayout(instead);
    centre->setContentsMargins(24, 24, 24, 24);
    centre->setSpacing(12);
    s.sentence = new QLabel(instead);
    s.sentence->setWordWrap(true);
    s.sentence->setAlignment(Qt::AlignCenter);
    set_role(s.sentence, "second");
    s.act = new QPushButton(instead);
    s.act->setAccessibleName(tr("Run: replay the open range"));
    centre->addStretch(1);
    centre->addWidget(s.sentence);
    centre->addWidget(s.act, 0, Qt::AlignHCenter);
    centre->addStretch(1);
    s.pages->addWidget(instead);
    column->addWidget(s.pages, 1);
    return body;
}

void TimelineDock::connectParts() {
    State& s = *state_;
    connect(s.bar->back, &QToolButton::clicked, s.canvas, &TimelineCanvas::goBack);
    connect(s.bar->forward, &QToolButton::clicked, s.canvas, &TimelineCanvas::goForward);
    connect(s.bar->fit, &QToolButton::clicked, s.canvas, &TimelineCanvas::fit);
    connect(s.act, &QPushButton::clicked, this, [this] { state_->runs->start(); });
    connect(s.bar->run, &QComboBox::activated, this, [this](int at) {
        State& now = *state_;
        const QString id = now.bar->run->itemData(at).toString();
        now.wanted = id == live_run_key;
        if (now.wanted) return setFollowing(true);
        if (now.live) endLive();
        now.of_last_made = false;
        now.runs->choose(Runs::Side::a, id);
        load(); // it may have been A before
    });
    connect(s.bar->find, &QLineEdit::returnPressed, this,
            [this] { findNext(state_->bar->find->text()); });
    connect(s.canvas, &TimelineCanvas::viewChanged, this, &TimelineDock::showView);
    connect(s.canvas, &TimelineCanvas::selectionChanged, this, [this] {
        askStatistics();
        showRange();
    });
    connect(s.canvas, &TimelineCanvas::painted, this,
            [this] { state_->legend->setCoverage(coverage_text(state_->canvas->coverage())); });
    connect(s.canvas, &TimelineCanvas::cleared, s.side, &TimelineSide::clearBrush);
    connect(s.canvas, &TimelineCanvas::findAsked, s.bar->find, [this] {
        state_->bar->find->setFocus(Qt::ShortcutFocusReason);
        state_->bar->find->selectAll();
    });
    connect(s.canvas, &TimelineCanvas::picked, this, &TimelineDock::selectTaskOf);
    connect(s.canvas, &TimelineCanvas::focusedChanged, this,
            [this] { state_->twin->setCurrent(state_->canvas->marks().focused); });
    connect(s.canvas, &TimelineCanvas::scrolled, this, [this] {
        QScrollBar* bar = state_->scroll;
        const QSignalBlocker quiet(bar);
        const int range = state_->canvas->scrollRange();
        bar->setRange(0, range);
        bar->setPageStep(state_->canvas->height());
        bar->setSingleStep(20);
        bar->setValue(static_cast<int>(state_->canvas->view().scroll));
        bar->setVisible(range > 0);
    });
    connect(s.scroll, &QScrollBar::valueChanged, s.canvas, &TimelineCanvas::scrollTo);
    connect(s.twin, &TimelineTwin::chosen, this, [this](SpanRef span) {
        state_->canvas->setFocused(span);
        selectTaskOf(span);
    });
    connect(s.minimap, &TimelineMinimap::windowAsked, this, [this](double from, double to) {
        const auto timeline = state_->canvas->timeline();
        if (!timeline) return;
        const auto duration = static_cast<double>(timeline->duration());
        const auto begin = static_cast<Nanoseconds>(from * duration);
        // The length stays what it is to the nanosecond.
        const Nanoseconds length = state_->canvas->shown().length();
        static_cast<void>(to);
        state_->canvas->pan({begin, begin + length});
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
    connect(s.adding, &BackgroundWork::finished, this, [this] {
        if (state_->ask_again) askStatistics();
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

TimelineMinimap* TimelineDock::minimap() const {
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
    return !state_->loading->running() && !state_->adding->running() &&
           !state_->marking->running() && !state_->wait->working();
}

QString TimelineDock::message() const {
    return state_->pages->currentIndex() == 0 ? QString() : state_->sentence->text();
}

void TimelineDock::showRuns() {
    State& s = *state_;
    const QSignalBlocker quiet(s.bar->run);
    s.bar->run->clear();
    if (s.runs->running()) s.bar->run->addItem(tr("Run in progress"), live_run_key);
    for (const runs::KeptRun& run : s.runs->kept())
        s.bar->run->addItem(run_title(run), to_qt(run.id));
    const QString why = s.runs->whyNot();
    setEmptyPage(why.isEmpty()
                     ? tr("Replay the open range: what each worker and device did, and "
                          "when, is shown here.")
                     : tr("%1. What each worker and device of a run did is shown here.").arg(why),
                 why.isEmpty() ? tr("Run") : QString(), [this] { state_->runs->start(); });
    showEmpty(s.runs->kept().empty() && !s.live);
    load();
}

void TimelineDock::showMessage(const QString& sentence, const QString& button) {
    State& s = *state_;
    show_sentence(*s.sentence, sentence);
    s.act->setText(button);
    s.act->setVisible(!button.isEmpty());
    s.pages->setCurrentIndex(sentence.isEmpty() ? 0 : 1);
}

/// The run that goes on, where it is watched; then the same from its record. Else the run that is
/// A; where only B is chosen, that one.
void TimelineDock::load() {
    State& s = *state_;
    if (s.live) {
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
        return showMessage(tr("Choose a run above: its spans are shown here."));
    }
    const QString key = s.runs->folder() + QLatin1Char('/') + to_qt(run->id);
    if (key == s.shown_run) return; // its note or its place in the list is another: nothing here
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
    s.wait->setRun(s.kept, loaded.timeline, loaded.trace);
    if (!loaded.error.empty()) {
        showError(tr("The spans cannot be read: %1").arg(to_qt(loaded.error)));
        showMessage(tr("The spans of this run cannot be read. Choose another one above."));
    } else if (!loaded.timeline) {
        showMessage(tr("This run was kept without spans. Choose another one above, or replay the "
                       "open range."),
                    s.runs->whyNot().isEmpty() ? tr("Run") : QString());
    } else {
        showMessage({});
        s.minimap->setShares(loaded.host, loaded.device, time_text(loaded.timeline->duration()));
        s.minimap->setDeviceColour(colour_of(s.kept, current_theme()));
    }
    followSession();
    showLegend();
    showView();
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
    if (s.live) showLive();
    if (!s.canvas->marks().selected) showRange();
}

/// The rows of the table are those of the selection, else of what is shown.
void TimelineDock::showRange() {
    const State& s = *state_;
    if (s.views->currentIndex() == 1)
        s.twin->setRange(s.canvas->timeline(),
                         s.canvas->marks().selected.value_or(s.canvas->shown()));
}

/// Of the selected range, else of the whole run. While one answer is made the next is not begun:
/// the last question is asked again when it is there.
void TimelineDock::askStatistics() {
    State& s = *state_;
    const auto timeline = s.canvas->timeline();
    if (!timeline) return s.adding->cancel();
    if (s.adding->running()) {
        s.ask_again = true;
        return;
    }
    s.ask_again = false;
    const auto selected = s.canvas->marks().selected;
    const TimeRange range = selected.value_or(TimeRange{0, timeline->duration()});
    s.adding->start(
        [this, timeline, range, whole = !selected](const BackgroundWork::Delivery& deliver,
                                                   ProgressSink&, const std::stop_token& stop) {
            auto found = std::make_shared<const profile::RangeStatistics>(
                profile::statistics_of(*timeline, range, stop));
            if (stop.stop_requested()) return;
            deliver([this, timeline, found, whole] {
                if (timeline != state_->canvas->timeline()) return;
                using Of = TimelineSide::Of;
                state_->side->setStatistics(timeline, found,
                                            !whole                         ? Of::selected
                                            : state_->live                 ? Of::newest
                                            : state_->kept.repetitions > 1 ? Of::last
                                                                           : Of::run);
                askMarked();
            });
        });
}

void TimelineDock::askMarked() {
    State& s = *state_;
    const auto timeline = s.canvas->timeline();
    const auto band = s.side->band();
    if (!timeline || !band || !s.side->statistics()) {
        s.marking->cancel();
        s.side->setMarked(std::nullopt);
        s.canvas->setBrushed(nullptr);
        return showLegend();
    }
    const TimeRange range = s.side->statistics()->range;
    s.marking->start([this, timeline, band = *band, range](const BackgroundWork::Delivery& deliver,
                                                           ProgressSink&,
                                                           const std::stop_token& stop) {
        auto marked = std::make_shared<const profile::MarkedSpans>(*timeline, range, band, stop);
        if (stop.stop_requested()) return;
        deliver([this, timeline, marked] {
            if (timeline != state_->canvas->timeline()) return;
            state_->canvas->setBrushed(marked);
            state_->side->setMarked(marked->count());
            showLegend();
        });
    });
}

void TimelineDock::showLegend() {
    State& s = *state_;
    const auto timeline = s.canvas->timeline();
    s.legend->setVisible(timeline != nullptr);
    if (!timeline) return;
    s.legend->setItems(report::timeline_legend(*timeline, s.canvas->marks(), current_theme()));
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
    const auto timeline = state_->canvas->timeline();
    if (!timeline) return Error{ErrorCode::wrong_usage, "there is no timeline to export"};
    const std::string file = path.toStdString();
    const report::TimelineMarks& marks = state_->canvas->marks();
    if (path.endsWith(QLatin1String(".csv")))
        return write_file(file, as_bytes(report::timeline_csv(
                                    *timeline, marks.selected.value_or(state_->canvas->shown()))));
    report::TimelineView view = state_->canvas->view();
    view.height += static_cast<float>(state_->legend->height()); // the legend stands below
    const scene::FrameRequest request = report::timeline_request(
        *timeline, view, marks, current_theme(), run_title(state_->kept).toStdString());
    const auto kind = path.endsWith(QLatin1String(".svg"))   ? scene::FileKind::svg
                      : path.endsWith(QLatin1String(".pdf")) ? scene::FileKind::pdf
                                                             : scene::FileKind::png;
    return scene::export_view(request, kind, file);
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
    if (!others || spans.empty() || s.own_pick || s.growing) return;
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
    const QString none = tr("No span is called \"%1\"").arg(text);
    s.bar->find->setToolTip(none);
    s.bar->hint->setTexts({none, tr("Not found"), QString()});
}

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
    connect(s.bar->follow, &QToolButton::clicked, this, &TimelineDock::setFollowing);
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
    if (!running && (s.wanted || s.live || s.bar->run->findData(live_run_key) >= 0)) {
        const bool was = s.live;
        s.wanted = false;
        endLive();
        s.of_last_made = was && live != nullptr; // else it was cancelled
        s.a.clear();                             // known when it is listed
        const QSignalBlocker quiet(s.bar->run);
        if (const int at = s.bar->run->findData(live_run_key); at >= 0) s.bar->run->removeItem(at);
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
        s.wait->setRun({}, nullptr, nullptr);
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
    s.bar->setWanted(s.bar->follow, false);
}

/// What is told in the bar of a run that goes on.
void TimelineDock::showLive() {
    State& s = *state_;
    const auto timeline = s.canvas->timeline();
    s.bar->setWanted(s.bar->follow, true);
    s.bar->follow->setChecked(s.following);
    if (!timeline) return;
    const QString all = time_text(timeline->duration());
    const QString shown = time_text(s.canvas->shown().length());
    if (s.following)
        s.bar->hint->setTexts(
            {tr("newest %1 of %2 so far · zoom, move or select holds it").arg(shown, all),
             tr("newest %1 of %2 so far").arg(shown, all), shown, QString()});
    else
        s.bar->hint->setTexts({tr("held at %1, newest spans only · Follow or End goes on").arg(all),
                               tr("held at %1 · End follows").arg(all), tr("held"), QString()});
}

void TimelineDock::changeEvent(QEvent* event) {
    Dock::changeEvent(event);
    if (event->type() != QEvent::PaletteChange || !state_ || state_->legend == nullptr) return;
    state_->minimap->setDeviceColour(colour_of(state_->kept, current_theme()));
    showLegend();
}

void TimelineDock::resizeEvent(QResizeEvent* event) {
    Dock::resizeEvent(event);
    state_->side->setVisible(width() >= room_for_side);
}

} // namespace blockloom::ui
