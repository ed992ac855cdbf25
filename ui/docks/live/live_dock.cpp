#include "docks/live/live_dock.h"

#include "canvas/widget_svg.h"
#include "charts/chart_view.h"
#include "docks/live/live_speedup.h"
#include "docks/parts/export_menu.h"
#include "look/elided_label.h"
#include "look/icons.h"
#include "look/plain_text.h"
#include "look/table.h"
#include "look/theme_style.h"
#include "models/live_words.h"
#include "models/run_words.h"
#include "models/usage_model.h"
#include "report/live_charts.h"
#include "report/phase_charts.h"
#include "runs/median_repetition.h"
#include "session/runs.h"
#include "text/numbers.h"
#include "text/to_qt.h"

#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <initializer_list>

namespace blockloom::ui {
namespace {

/// From this width on, resource use is shown beside activity.
constexpr int two_columns = 960;

/// Columns are as wide as the panel allows: longer text ends in an ellipsis, and the
/// tooltip shows all of it.
QLabel* fitting(const char* role) {
    auto* label = new ElidedLabel;
    set_role(label, role);
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    label->setTextInteractionFlags(Qt::NoTextInteraction);
    return label;
}

/// Avoids repainting an unchanged text.
void say(QLabel* label, const QString& text, const QString& tip = {}) {
    if (label->text() != text) label->setText(text);
    if (label->toolTip() != tip) label->setToolTip(tip);
}

} // namespace

LiveDock::LiveDock(Runs* runs, QWidget* parent)
    : Dock(QStringLiteral("live"), tr("Live run"), parent), runs_(runs), state_(new QLabel),
      details_(new ElidedLabel), held_(new QLabel), pause_(new QPushButton),
      pages_(new QStackedWidget), scroll_(new QScrollArea), page_(new QWidget),
      grid_box_(new QWidget), grid_(new QGridLayout(grid_box_)),
      usage_(
          new ChartView(QStringLiteral("usageChart"), tr("Activity and resource use over time"))),
      bars_(new ChartView(QStringLiteral("stretchBars"), tr("Wall time of each finished block"))),
      phases_(new ChartView(QStringLiteral("breakdownChart"), tr("Where the time went"))),
      speedup_(new LiveSpeedup(runs)), model_(new UsageModel(this)),
      table_(new Table(tr("Activity and resource use over time"))) {
    auto* body = new QWidget(this);
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);

    auto* strip = new QWidget(body);
    strip->setObjectName(QStringLiteral("verdict"));
    auto* row = new QHBoxLayout(strip);
    row->setContentsMargins(12, 6, 8, 6);
    row->setSpacing(12);
    set_role(state_, "title");
    state_->setObjectName(QStringLiteral("liveState"));
    pause_->setObjectName(QStringLiteral("pauseRun"));
    row->addWidget(state_);
    row->addWidget(details_, 1);
    row->addWidget(pause_);
    column->addWidget(strip);
    set_role(held_, "warning");
    held_->setObjectName(QStringLiteral("heldUp"));
    held_->setWordWrap(true);
    held_->setContentsMargins(12, 4, 12, 4);
    held_->hide();
    column->addWidget(held_);

    makeTiles();
    scroll_->setObjectName(QStringLiteral("liveScroll"));
    page_->setObjectName(QStringLiteral("detailsPage")); // the sheet gives it the panel's ground
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll_->setFocusPolicy(Qt::NoFocus);
    auto* first = new QWidget(page_);
    auto* lines = new QVBoxLayout(first);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(0);
    for (QWidget* part : std::initializer_list<QWidget*>{grid_box_, phases_, speedup_})
        lines->addWidget(part);
    lines->addStretch(1);
    columns_line_ = new QBoxLayout(QBoxLayout::TopToBottom, page_);
    columns_line_->setContentsMargins(0, 0, 0, 0);
    columns_line_->setSpacing(0);
    columns_line_->addWidget(first, 1, Qt::AlignTop);
    auto* second = new QWidget(page_);
    auto* over_time = new QVBoxLayout(second);
    over_time->setContentsMargins(0, 0, 0, 0);
    over_time->setSpacing(0);
    bars_->setLeastHeight(150); // lower, Qt Charts would elide the ticks
    over_time->addWidget(bars_);
    over_time->addWidget(usage_);
    columns_line_->addWidget(second, 1, Qt::AlignTop);
    columns_line_->addStretch();
    scroll_->setWidget(page_);
    table_->setModel(model_);
    table_->horizontalHeader()->setDefaultSectionSize(148);
    pages_->addWidget(scroll_);
    auto* tables = new QWidget;
    auto* stacked = new QVBoxLayout(tables);
    stacked->setContentsMargins(0, 0, 0, 0);
    stacked->setSpacing(0);
    stacked->addWidget(table_, 2);
    pages_->addWidget(tables);
    pages_->setMinimumHeight(
        24); // in a low panel it scrolls, and the panel does not scroll beside it
    column->addWidget(pages_, 1);
    setBody(body);
    setHelp(tr(
        "<b>Live run</b>: what a replay is doing and, afterwards, what it did. Pause (F9) stops "
        "it between two tasks; pauses are excluded from all timings and shaded in the chart. "
        "Bars and lines are measured; the hollow bar is a prediction: what would remain of the "
        "phases so far with an infinitely fast device. The curve is Amdahl's law: filled points "
        "are kept runs of these blocks; the hollow point is this run so far, based on the blocks "
        "that it has finished. What the platform does not report about a device is marked as "
        "unavailable, not guessed. Arrow keys step through moments and blocks."));
    setTableTwin([this, stacked](bool on) {
        if (on && stacked->count() == 1) stacked->addWidget(speedup_->table(), 1);
        pages_->setCurrentIndex(on ? 1 : 0);
    });
    setExport([this] { exportPicture(); });

    pull_.setInterval(1000 / pulls_per_second);
    pull_.setTimerType(Qt::CoarseTimer);
    connect(&pull_, &QTimer::timeout, this, &LiveDock::pull);
    connect(pause_, &QPushButton::clicked, this,
            [this] { runs_->setPaused(!runs_->pauseAsked()); });
    connect(runs_, &Runs::liveChanged, this, &LiveDock::showLive);
    connect(runs_, &Runs::keptChanged, this, &LiveDock::showLive);
    connect(runs_, &Runs::choiceChanged, this, &LiveDock::showLive);
    connect(this, &QDockWidget::visibilityChanged, this, &LiveDock::gatherScaling);
    // So that the run in progress is placed at once.
    connect(speedup_, &LiveSpeedup::gathered, this, [this] { number_ = 0; });
    showLive();
}

ChartView* LiveDock::speedup() const {
    return speedup_->chart();
}

QString LiveDock::speedupWords() const {
    return speedup_->words();
}

Table* LiveDock::speedupTable() const {
    return speedup_->table();
}

QString LiveDock::state() const {
    return state_->text();
}

QString LiveDock::figures() const {
    QStringList lines;
    for (const Tile& tile : tiles_)
        lines.append(QStringLiteral("%1: %2").arg(tile.name->text(), tile.value->text()));
    return lines.join(QLatin1Char('\n'));
}

void LiveDock::makeTiles() {
    const std::array<QString, figure_count> names{tr("Tasks per second"),
                                                  tr("Blocks per second"),
                                                  tr("Blocks"),
                                                  tr("Time"),
                                                  tr("Workers busy"),
                                                  tr("Accelerated"),
                                                  tr("Executions · aborted"),
                                                  tr("Rounds · batches"),
                                                  tr("Statuses"),
                                                  tr("On device · workers"),
                                                  tr("Device")};
    grid_->setContentsMargins(12, 8, 12, 8);
    grid_->setHorizontalSpacing(12);
    grid_->setVerticalSpacing(8);
    for (std::size_t i = 0; i < tiles_.size(); ++i) {
        Tile& tile = tiles_[i];
        tile.box = new QWidget(grid_box_);
        tile.name = fitting("caption");
        tile.value = fitting("value");
        tile.name->setText(names[i]);
        auto* lines = new QVBoxLayout(tile.box);
        lines->setContentsMargins(0, 0, 0, 0);
        lines->setSpacing(1);
        lines->addWidget(tile.name);
        lines->addWidget(tile.value);
    }
    layTiles();
}

/// Two rows where there is room, else as many as it takes: nothing is cut off.
void LiveDock::layTiles() {
    // By the dock: the box itself is laid out after this.
    const int room = width() >= two_columns ? width() / 2 : width();
    const int columns = std::clamp(room / 150, 2, 5);
    if (columns == columns_) return;
    columns_ = columns;
    const auto count = static_cast<int>(tiles_.size());
    for (int i = 0; i < count; ++i) {
        const int column = i % columns;
        // The last one, of the device, has the longest words and the rest of its row.
        const int span = i + 1 == count ? columns - column : 1;
        grid_->addWidget(tiles_[static_cast<std::size_t>(i)].box, i / columns, column, 1, span);
    }
    for (int i = 0; i < 5; ++i) grid_->setColumnStretch(i, i < columns ? 1 : 0);
}

void LiveDock::resizeEvent(QResizeEvent* event) {
    Dock::resizeEvent(event);
    const bool wide = width() >= two_columns;
    columns_line_->setDirection(wide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    for (const int column : {0, 1}) columns_line_->setStretch(column, wide ? 1 : 0);
    columns_line_->setStretch(2, wide ? 0 : 1); // one below the other they need no gap
    layTiles();
}

/// What to show: the run in progress, else the one made last, else the newest one.
void LiveDock::showLive() {
    const bool running = runs_->running();
    if (running && !pull_.isActive()) pull_.start();
    if (!running) pull_.stop();
    const bool asked = runs_->pauseAsked();
    pause_->setVisible(running);
    pause_->setIcon(icon(asked ? "run" : "pause"));
    pause_->setText(asked ? tr("Resume") : tr("Pause"));
    pause_->setToolTip(asked ? tr("Resume the run (F9)")
                             : tr("Pause the run between two tasks (F9)"));
    pause_->setAccessibleName(asked ? tr("Resume the run") : tr("Pause the run"));

    const auto live = runs_->live();
    const runs::KeptRun* made = runs_->lastMade();
    if (made == nullptr && !runs_->kept().empty()) made = &runs_->kept().front();
    const bool of_record = !running && made != nullptr && (live == nullptr || runs_->lastMade());
    number_ = 0;
    speedup_->forgetPoint();
    if (of_record)
        showProgress(runs::progress_of(*made));
    else if (live != nullptr)
        pull();
    const QString why = runs_->whyNot();
    setEmptyPage(why.isEmpty() ? tr("Replay the open range to watch its throughput, batches, "
                                    "phases and use of the machine here.")
                               : tr("%1. This panel shows what a run is doing.").arg(why),
                 why.isEmpty() ? tr("Run") : QString(), [this] { runs_->start(); });
    showEmpty(live == nullptr && !of_record);
    gatherScaling();
}

void LiveDock::pull() {
    const auto live = runs_->live();
    if (live == nullptr) return showLive();
    const auto snapshot = live->latest();
    if (snapshot->number == number_) return;
    number_ = snapshot->number;
    const bool over = snapshot->state == execute::LiveState::finished;
    // Hidden: nothing is drawn until the panel is shown again.
    if (!visibleRegion().isEmpty() || over) {
        showProgress(runs::progress_of(*snapshot));
        speedup_->place(*snapshot);
    }
    if (over && pull_.isActive()) {
        pull_.stop();
        showLive();
    }
}

void LiveDock::showProgress(const runs::RunProgress& progress) {
    ++renewals_;
    shown_ = progress.run;
    showState(progress);
    showFigures(progress);
    // The bound of a whole run is the whole serial run's time over what is left.
    const report::PhasesSide side{
        &progress.run,
        progress.run.id.empty() ? progress.breakdown
                                : runs::breakdown_of(progress.run, runs_->baselineOf(progress.run)),
        {},
        run_words(progress.run).toStdString()};
    phases_->setChart(progress.breakdown.total > 0 ? report::phases_chart({&side, 1})
                                                   : charts::Chart());
    phases_->setVisible(progress.breakdown.total > 0);
    showOverTime(progress);
    model_->setUsage(progress.usage);
}

/// A few times a second are enough for charts of a run that continues: they take nothing from it.
void LiveDock::showOverTime(const runs::RunProgress& progress) {
    constexpr qint64 pause_ms = 250;
    if (progress.in_progress && progress.state == execute::LiveState::running && drawn_.isValid() &&
        drawn_.elapsed() < pause_ms)
        return;
    drawn_.start();
    bars_->setChart(report::stretches_chart(progress.stretches, progress.blocks_all));
    const bool used = progress.usage != nullptr && !progress.usage->at.empty();
    charts::Chart usage =
        used ? report::usage_chart(*progress.usage, progress.pauses) : charts::Chart();
    constexpr int lane_height = 68, axis_height = 60;
    const auto lanes = static_cast<int>(usage.series.size());
    usage_->setLeastHeight(lanes * lane_height + axis_height);
    usage_->setChart(std::move(usage));
    usage_->setVisible(used);
}

void LiveDock::showState(const runs::RunProgress& progress) {
    QString words;
    switch (progress.state) {
    case execute::LiveState::waiting:
        words = tr("Starting");
        break;
    case execute::LiveState::running:
        words = tr("Running");
        break;
    case execute::LiveState::pausing:
        words = tr("Pausing…");
        break;
    case execute::LiveState::paused:
        words = tr("Paused");
        break;
    case execute::LiveState::finished:
        words = progress.run.id.empty() ? tr("Finished") : run_title(progress.run);
        break;
    }
    if (progress.in_progress && progress.repetitions > 1)
        words = tr("%1 · repetition %2 of %3")
                    .arg(words, count_text(progress.repetition), count_text(progress.repetitions));
    // The names of a run's parts come from outside: the panel does not grow with them.
    constexpr int widest_title = 480;
    const QFontMetrics metrics(state_->font());
    say(state_, metrics.elidedText(words, Qt::ElideMiddle, widest_title), words);
    // The title of a kept run says what ran it.
    QStringList details{progress.run.id.empty() ? run_words(progress.run)
                                                : source_words(progress.run)};
    if (!progress.in_progress && progress.repetitions > 1)
        details.append(
            tr("median of %1")
                .arg(counted(progress.repetitions - std::min<std::size_t>(progress.run.warm_up,
                                                                          progress.repetitions - 1),
                             tr("repetition"), tr("repetitions"))));
    if (progress.paused > 0)
        details.append(tr("paused %1 (excluded from timings)").arg(time_text(progress.paused)));
    const QString detail = details.join(QStringLiteral(" · "));
    say(details_, detail, detail);
    show_sentence(*held_, to_qt(progress.held_up));
    held_->setVisible(!progress.held_up.empty());
}

void LiveDock::showFigures(const runs::RunProgress& progress) {
    const runs::KeptRun& run = progress.run;
    const auto show = [this](Figure figure, const QString& text, const QString& tip) {
        Tile& tile = tiles_[figure];
        say(tile.value, text, tip);
        tile.box->setToolTip(tip);
    };
    show(tasks_rate, significant_text(progress.tasks_a_second),
         tr("Tasks of finished blocks per second of measured time"));
    show(blocks_rate, significant_text(progress.blocks_a_second),
         tr("Finished blocks per second of measured time"));
    show(
        blocks_done,
        progress.in_progress
            ? tr("%1 of %2").arg(count_text(progress.blocks_done), count_text(progress.blocks_all))
            : count_text(progress.blocks_done),
        progress.window.transactions == 0
            ? tr("Finished blocks")
            : tr("Current block window: %1 of %2 accepted, in %3")
                  .arg(count_text(progress.window.accepted),
                       counted(progress.window.transactions, tr("transaction"), tr("transactions")),
                       counted(progress.window.rounds, tr("round"), tr("rounds"))));
    show(elapsed, time_text(progress.elapsed),
         progress.in_progress
             ? tr("Measured wall time of this repetition so far; pauses are excluded")
             : tr("Wall time: %1; pauses are excluded").arg(to_qt(runs::wall_words(run))));
    show(busy, progress.busy_share ? percent_text(*progress.busy_share) : not_applicable(),
         progress.busy_share
             ? tr("Share of the time available to %1 that was spent executing transactions")
                   .arg(counted(run.workers, tr("worker"), tr("workers")))
             : tr("Known only while a run is in progress; the timeline shows it for each worker"));
    show(accelerated,
         progress.breakdown.total > 0 ? percent_text(progress.breakdown.accelerated_share)
                                      : not_applicable(),
         tr("Share of the time so far spent in phases that ran on a device or on several workers: "
            "the parallel part of Amdahl's law"));
    show(executions,
         QStringLiteral("%1 · %2").arg(count_text(run.executions), count_text(progress.redone)),
         tr("Task executions, and how many of their results were not accepted; %1 attempted, "
            "including those of unfinished blocks")
             .arg(counted(progress.tried, tr("transaction"), tr("transactions"))));
    show(rounds,
         progress.in_progress || progress.batches > 0
             ? QStringLiteral("%1 · %2").arg(count_text(run.rounds), count_text(progress.batches))
             : QStringLiteral("%1 · %2").arg(count_text(run.rounds), not_applicable()),
         tr("Rounds, and the batches into which they were divided"));
    show(statuses, tr("%1 ok · %2 failed").arg(count_text(run.succeeded), count_text(run.reverted)),
         tr("Messages that succeeded, and messages that reverted"));
    show(placed, placed_words(run),
         run.backend == "cpu"
             ? tr("This run has no device")
             : tr("Tasks whose accepted execution ran on the device, %1, and on the host's "
                  "workers, %2; %3 ejected by the device")
                   .arg(count_text(run.on_device), count_text(run.on_host),
                        counted(progress.ejected, tr("attempt"), tr("attempts"))));
    tiles_[device].box->setVisible(run.backend != "cpu" && progress.in_progress);
    show(device, device_words(progress.devices),
         progress.devices.empty() ? tr("The timeline shows every wave")
                                  : device_lines(progress.devices));
}

/// Gathers the kept runs of these blocks whenever the run or the list changes.
void LiveDock::gatherScaling() {
    const bool running = runs_->running() && runs_->live() != nullptr;
    if (!isVisible() || (!running && !isShowingEmpty() && shown_.id.empty()))
        return; // hidden; or the run has ended and is being kept
    if (isShowingEmpty())
        speedup_->forget();
    else
        speedup_->gather(shown_);
}

Status LiveDock::exportTo(const QString& path) const {
    if (path.endsWith(QLatin1String(".svg"))) return write_svg(*page_, state(), path);
    if (page_->grab().save(path)) return {};
    return Error{ErrorCode::system, tr("cannot write %1").arg(path).toStdString()};
}

void LiveDock::exportPicture() {
    show_export_menu(this,
                     {tr("Export the run as a picture"),
                      QStringLiteral("run"),
                      {{"png", tr("PNG image…")}, {"svg", tr("SVG drawing…")}},
                      [this](const QString& path) { return exportTo(path); },
                      [this](const QString& message) { showError(message); }},
                     "liveExport");
}

} // namespace blockloom::ui
