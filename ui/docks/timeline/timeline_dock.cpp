#include "docks/timeline/timeline_dock.h"

#include "docks/timeline/timeline_state.h"

#include "base/file.h"
#include "look/plain_text.h"
#include "look/theme_style.h"
#include "models/run_words.h"
#include "runs/kept_run.h"
#include "session/runs.h"
#include "session/session.h"
#include "text/numbers.h"

#include <QComboBox>
#include <QCursor>
#include <QEvent>
#include <QFileDialog>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolButton>

#include <algorithm>

namespace blockloom::ui {

using profile::SpanRef;
using profile::TimeRange;

TimelineDock::TimelineDock(Session* session, Runs* runs, QWidget* parent)
    : Dock(QStringLiteral("timeline"), tr("Timeline"), parent), state_(std::make_unique<State>()) {
    State& s = *state_;
    s.session = session;
    s.runs = runs;
    s.loading = new BackgroundWork(this);
    s.adding = new BackgroundWork(this);
    s.marking = new BackgroundWork(this);
    s.asking = new BackgroundWork(this);
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
    delete state_->asking;
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
           !state_->marking->running() && !state_->asking->running();
}

QString TimelineDock::message() const {
    return state_->pages->currentIndex() == 0 ? QString() : state_->sentence->text();
}

void TimelineDock::showRuns() {
    State& s = *state_;
    const QSignalBlocker quiet(s.run);
    s.run->clear();
    if (s.runs->running()) s.run->addItem(tr("Run in progress"), live_run_key);
    for (const runs::KeptRun& run : s.runs->kept())
        s.run->addItem(run_title(run), QString::fromStdString(run.id));
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
        s.run->setCurrentIndex(s.run->findData(live_run_key));
        return;
    }
    const runs::KeptRun* run = s.runs->chosen(Runs::Side::a);
    if (const runs::KeptRun* made = s.runs->lastMade(); s.of_last_made && made != nullptr) {
        const QString a = run == nullptr ? QStringLiteral("-") : QString::fromStdString(run->id);
        if (s.a.isNull()) s.a = a;
        s.of_last_made = s.a == a;
        if (s.of_last_made) run = made;
    }
    if (run == nullptr) run = s.runs->chosen(Runs::Side::b);
    s.run->setCurrentIndex(run == nullptr ? -1 : s.run->findData(QString::fromStdString(run->id)));
    if (run == nullptr) {
        s.shown_run.clear();
        s.loading->cancel();
        setBefore(false);
        take({});
        return showMessage(tr("Choose a run above: its spans are shown here."));
    }
    const QString key = s.runs->folder() + QLatin1Char('/') + QString::fromStdString(run->id);
    if (key == s.shown_run) return; // its note or its place in the list is another: nothing here
    s.shown_run = key;
    s.kept = *run;
    setBefore(s.canvas->timeline() != nullptr);
    clearError();
    s.loading->start([this, folder = s.runs->folder().toStdString(),
                      id = run->id](const BackgroundWork::Delivery& deliver, ProgressSink&,
                                    const std::stop_token& stop) {
        auto loaded = std::make_shared<Loaded>(Loaded::read(folder, id));
        if (stop.stop_requested()) return;
        deliver([this, loaded] {
            setBefore(false);
            take(*loaded);
        });
    });
}

void TimelineDock::take(const Loaded& loaded) {
    State& s = *state_;
    s.side->setStatistics(nullptr, nullptr, TimelineSide::Of::run);
    s.side->clearBrush();
    s.canvas->setTimeline(loaded.timeline);
    s.trace = loaded.trace;
    s.measured.reset();
    s.told.reset();
    if (!loaded.error.empty()) {
        showError(tr("The spans cannot be read: %1").arg(QString::fromStdString(loaded.error)));
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
    s.back->setEnabled(s.canvas->canGoBack());
    s.forward->setEnabled(s.canvas->canGoForward());
    if (!timeline) return;
    const auto duration = static_cast<double>(std::max<Nanoseconds>(timeline->duration(), 1));
    s.minimap->setWindow(static_cast<double>(s.canvas->shown().begin) / duration,
                         static_cast<double>(s.canvas->shown().end) / duration);
    s.hint->setTexts(
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
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("timelineExport"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (const auto& [ending, text] : {std::pair{"csv", tr("Spans as CSV…")},
                                       {"png", tr("PNG image…")},
                                       {"svg", tr("SVG drawing…")},
                                       {"pdf", tr("PDF page…")}}) {
        const QString suffix = QLatin1String(ending);
        connect(menu->addAction(text), &QAction::triggered, this, [this, suffix] {
            auto* dialog = new QFileDialog(this, tr("Export the timeline"));
            dialog->setAttribute(Qt::WA_DeleteOnClose);
            dialog->setAcceptMode(QFileDialog::AcceptSave);
            dialog->setDefaultSuffix(suffix);
            dialog->setNameFilter(QStringLiteral("*.") + suffix);
            dialog->selectFile(QStringLiteral("%1-timeline.%2")
                                   .arg(state_->kept.id.empty()
                                            ? QStringLiteral("run")
                                            : QString::fromStdString(state_->kept.id),
                                        suffix));
            connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
                if (const Status done = exportTo(path); !done)
                    showError(QString::fromStdString(done.error().message));
            });
            dialog->open();
        });
    }
    menu->popup(QCursor::pos());
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

void TimelineDock::changeEvent(QEvent* event) {
    Dock::changeEvent(event);
    if (event->type() != QEvent::PaletteChange || !state_ || state_->legend == nullptr) return;
    state_->minimap->setDeviceColour(colour_of(state_->kept, current_theme()));
    showLegend();
}

} // namespace blockloom::ui
