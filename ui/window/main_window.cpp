#include "window/main_window.h"

#include "docks/blocks/blocks_dock.h"
#include "docks/breakdown/breakdown_dock.h"
#include "docks/compare/compare_dock.h"
#include "docks/contention_dock.h"
#include "docks/graph/graph_dock.h"
#include "docks/inspector/inspector_dock.h"
#include "docks/live/live_dock.h"
#include "docks/log_dock.h"
#include "docks/parts/view_pane.h"
#include "docks/runs_dock.h"
#include "docks/schedule/schedule_dock.h"
#include "docks/timeline/timeline_dock.h"
#include "docks/tuning/tuning_dock.h"
#include "look/system_theme.h"
#include "models/log_model.h"
#include "models/recent_model.h"
#include "session/background_work.h"
#include "session/runs.h"
#include "session/session.h"
#include "session/shortage.h"
#include "session/tunings.h"
#include "text/numbers.h"
#include "window/find_box.h"
#include "window/first_start.h"
#include "window/machine_line.h"
#include "window/report_export.h"
#include "window/session_keeper.h"
#include "window/settings_dialog.h"
#include "window/status_row.h"
#include "window/tool_row.h"
#include "window/window_actions.h"

#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QPainter>
#include <QSettings>
#include <QToolButton>

namespace blockloom::ui {
namespace {

std::unique_ptr<QSettings> make_settings(const QString& file) {
    if (file.isEmpty()) return std::make_unique<QSettings>();
    return std::make_unique<QSettings>(file, QSettings::IniFormat);
}

Docks make_docks(Session* session, Runs* runs, Tunings* tunings, GraphDock* graph,
                 QWidget* parent) {
    return {.blocks = new BlocksDock(session, parent),
            .graph = graph,
            .schedule = new ScheduleDock(session, runs, parent),
            .contention = new ContentionDock(session, parent),
            .breakdown = new BreakdownDock(runs, parent),
            .compare = new CompareDock(session, runs, parent),
            .tuning = new TuningDock(session, runs, tunings, parent),
            .timeline = new TimelineDock(session, runs, parent),
            .inspector = new InspectorDock(session, runs, parent),
            .live = new LiveDock(runs, parent),
            .runs = new RunsDock(runs, parent),
            .log = new LogDock(session, parent)};
}

/// Beside the settings, which it is as little of anybody else's business.
QString session_file(const QSettings& settings) {
    return QFileInfo(settings.fileName()).absolutePath() + QStringLiteral("/session.json");
}

QStringList local_paths(const QMimeData& mime) {
    QStringList paths;
    for (const QUrl& url : mime.urls())
        if (url.isLocalFile()) paths.append(url.toLocalFile());
    return paths;
}

} // namespace

MainWindow::MainWindow(const QString& settingsFile, QWidget* parent)
    : QMainWindow(parent), settings_(make_settings(settingsFile)), session_(new Session(this)),
      runs_(new Runs(session_, this)), tunings_(new Tunings(session_, runs_, this)),
      recent_(new RecentModel(this)), system_theme_(new SystemTheme(this)),
      actions_(new WindowActions(this, session_->undoStack())),
      tools_(new ToolRow(session_, runs_, recent_, this)), status_(new StatusRow(session_, this)),
      find_(new FindBox(session_, this)), first_start_(new FirstStart(recent_, this)),
      graph_(new GraphDock(session_, this)),
      docks_(make_docks(session_, runs_, tunings_, graph_, this)), layout_(this, docks_),
      keeper_(new SessionKeeper(session_, runs_, graph_, session_file(*settings_), this)),
      writing_(new BackgroundWork(this)), asking_(new BackgroundWork(this)) {
    setObjectName(QStringLiteral("mainWindow"));
    setWindowTitle(tr("Blockloom"));
    setDockOptions(AllowNestedDocks | AllowTabbedDocks);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    setAcceptDrops(true);
    setStatusBar(status_);
    setCentralWidget(first_start_);
    addToolBar(Qt::TopToolBarArea, tools_);
    tools_->hide();

    recent_->load(*settings_);
    layout_.load(*settings_);
    const QString wrong_settings = take_limits(*runs_);
    if (const auto own = settings_->value(QStringLiteral("runs/workspace")).toString();
        !own.isEmpty())
        runs_->setFolder(own);
    makeMenus();
    connectActions();
    connectSession();
    connectKeeper();
    setTheme(theme_choice_named(settings_->value(QStringLiteral("theme")).toString()));

    resize(1440, 900);
    restoreGeometry(settings_->value(QStringLiteral("window/geometry")).toByteArray());
    showEnabled();
    showRules();
    showChoices();
    askBackends();
    if (!wrong_settings.isEmpty()) {
        static_cast<LogDock*>(docks_.log)->note(QStringLiteral("error"), wrong_settings);
        first_start_->showError(wrong_settings);
    }
    first_start_->demoButton()->setFocus(Qt::TabFocusReason);
    first_start_->demoButton()->setDefault(true);
}

MainWindow::~MainWindow() {
    // Docks still draw what the session holds: the session goes last.
    disconnect(session_, nullptr, this, nullptr);
    for (Dock* dock : docks_.all()) delete dock;
    delete tools_;
    delete status_;
    delete find_;
}

void MainWindow::open(const QStringList& sources, const OpenChoices& choices) {
    first_start_->showError({});
    keeper_->opens();
    session_->open(sources, choices);
}

bool MainWindow::restoreSession() {
    if (!settings_->value(QStringLiteral("start/restore"), true).toBool()) return false;
    return keeper_->restore();
}

void MainWindow::closeRange() {
    if (!session_->range()) return;
    layout_.save(*settings_);
    layout_.hideAll();
    tools_->hide();
    setContentsMargins(0, 0, 0, 0);
    setWindowTitle(tr("Blockloom"));
    session_->close();
    keeper_->forget();
    first_start_->show();
    showEnabled();
    first_start_->demoButton()->setFocus(Qt::OtherFocusReason);
}

void MainWindow::connectKeeper() {
    for (Dock* dock : docks_.all()) keeper_->watch(dock);
    keeper_->watchPicture([this] { return isSettled(); });
    auto* timeline = static_cast<TimelineDock*>(docks_.timeline);
    const QString log_counts = QStringLiteral("timeline/logCounts");
    timeline->setLogCounts(settings_->value(log_counts).toBool());
    connect(timeline, &TimelineDock::logCountsChanged, this,
            [this, log_counts](bool logarithmic) { settings_->setValue(log_counts, logarithmic); });
    connect(keeper_, &SessionKeeper::keeping, this, [this] {
        layout_.save(*settings_);
        settings_->sync(); // now: the next turn of the event loop may not come
    });
    connect(keeper_, &SessionKeeper::restored, this, [this] {
        status_->showMessage(tr("Opened again what was open last; File, Close the range leads to "
                                "the start page"),
                             10'000);
    });
    connect(keeper_, &SessionKeeper::failed, this, [this](const QString& message) {
        static_cast<LogDock*>(docks_.log)->note(QStringLiteral("warning"), message);
        if (layout_.isShown())
            status_->showMessage(message, 20'000);
        else
            first_start_->showError(message);
        if (!keeper_->heldBack()) return;
        first_start_->offer(tr("Open it anyway"), [this] { keeper_->restoreAnyway(); });
    });
}

/// Drivers take their time: the list comes when it is there.
void MainWindow::askBackends() {
    asking_->start(
        [this](const BackgroundWork::Delivery& deliver, ProgressSink&, const std::stop_token&) {
            deliver([this, list = list_backends()] { runs_->setBackends(list); });
        });
}

bool MainWindow::isSettled() const {
    if (session_->busy() || runs_->reading() || tunings_->reading() || asking_->running())
        return false;
    if (!static_cast<const TimelineDock*>(docks_.timeline)->settled()) return false;
    if (static_cast<const BreakdownDock*>(docks_.breakdown)->working()) return false;
    if (!session_->range()) return true;
    const auto settled = [](const Dock* dock, const ViewPane* pane) {
        return !dock->isVisible() || dock->visibleRegion().isEmpty() ||
               (pane->settled() && (pane->showsTable() || pane->canvas()->hasFrame()));
    };
    const auto* schedule = static_cast<const ScheduleDock*>(docks_.schedule);
    return settled(graph_, graph_->pane()) && settled(schedule, schedule->pane());
}

void MainWindow::connectSession() {
    connect(session_, &Session::rangeChanged, this, &MainWindow::showRange);
    connect(session_, &Session::busyChanged, this, [this](bool busy) {
        actions_->cancel->setEnabled(busy);
        tools_->setVisible(busy || session_->range() != nullptr);
        showEnabled();
        if (!busy) showChoices(); // also where another choice failed or was cancelled
    });
    connect(session_, &Session::optionsChanged, this, &MainWindow::showRules);
    connect(session_, &Session::blockChanged, this, &MainWindow::showRules);
    connect(session_, &Session::selectionChanged, this, &MainWindow::showRules);
    connect(session_, &Session::failed, this, &MainWindow::showFailure);
    connect(runs_, &Runs::liveChanged, this, [this] {
        const bool running = runs_->running();
        const bool began = running && !actions_->pause->isEnabled();
        actions_->pause->setEnabled(running);
        if (!began) return;
        docks_.live->show();
        docks_.live->raise();
    });
    connect(runs_, &Runs::finished, this, [this](const QString& words) {
        status_->showMessage(words, 10'000);
        if (!docks_.timeline->visibleRegion().isEmpty()) return; // it answers the same question
        docks_.breakdown->show();
        docks_.breakdown->raise();
    });
    connect(runs_, &Runs::backendsChanged, this,
            [this] { first_start_->machine()->setBackends(runs_->backends()); });
    for (const auto changed : {&Runs::choiceChanged, &Runs::keptChanged})
        connect(runs_, changed, this, &MainWindow::showEnabled);
    connect(tunings_, &Tunings::keptChanged, this, &MainWindow::showEnabled);
    connect(static_cast<BlocksDock*>(docks_.blocks), &BlocksDock::rowsSelected, tunings_,
            &Tunings::setRows);
    tools_->addOffer(actions_->use_tuned);
    const auto note = [this](const QString& text) {
        status_->setRenderer(graph_->canvas()->rendererName(), text);
    };
    connect(graph_, &GraphDock::rendererNote, this, note);
    connect(graph_->canvas(), &SceneCanvas::frameShown, this,
            [this] { status_->setRenderer(graph_->canvas()->rendererName(), {}); });
    connect(&Shortage::instance(), &Shortage::noticed, this, [this](const QString& message) {
        static_cast<LogDock*>(docks_.log)->note(QStringLiteral("error"), message);
        status_->showMessage(message, 20'000);
        showFailure(message);
    });
    connect(system_theme_, &SystemTheme::changed, this, &MainWindow::applyTheme);
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) {
        for (QWidget* at = now; at != nullptr; at = at->parentWidget())
            if (auto* dock = qobject_cast<Dock*>(at)) {
                last_dock_ = dock;
                return;
            }
    });
}

void MainWindow::showWorkbench() {
    if (layout_.isShown()) return;
    first_start_->hide();
    setContentsMargins(6, 0, 6, 0); // the gap between docks, at the edges too
    tools_->show();
    layout_.showAll();
    docks_.blocks->widget()->setFocus(Qt::OtherFocusReason);
    static_cast<QWidget*>(static_cast<BlocksDock*>(docks_.blocks)->filterField())->clearFocus();
}

void MainWindow::showRange() {
    const auto range = session_->range();
    if (!range) return;
    const QString title = QString::fromStdString(range->title);
    setWindowTitle(tr("%1 — Blockloom").arg(title));
    showWorkbench();
    recent_->add({session_->sources(), title.section(QStringLiteral(" · "), 0, 0),
                  tr("%1 · %2").arg(counted(range->totals.blocks, tr("block"), tr("blocks")),
                                    counted(range->totals.tasks, tr("task"), tr("tasks"))),
                  QDateTime::currentDateTime()});
    recent_->save(*settings_);
    showEnabled();
}

void MainWindow::showRules() {
    const schedule::AnalysisOptions& options = session_->options();
    const bool multi = options.model == conflict::ConflictModel::multi_version;
    (multi ? actions_->multi_version : actions_->single_version)->setChecked(true);
    (options.use_cost ? actions_->own_cost : actions_->unit_cost)->setChecked(true);
    actions_->clear_policy->setEnabled(!options.policy.leaves_all());
    const auto block = session_->currentBlock();
    actions_->own_cost->setEnabled(block && !block->trace->cost.empty());
    const auto key = session_->selectedKey();
    actions_->relax_key->setEnabled(key && block && block->analysis.index->trace->keys);
    actions_->back->setEnabled(session_->canGoBack());
    actions_->forward->setEnabled(session_->canGoForward());
}

void MainWindow::showChoices() {
    for (QAction* action : actions_->chains->actions())
        action->setChecked(action->data().toString() == session_->choices().chain);
    for (QAction* action : actions_->rules->actions())
        action->setChecked(action->data().toString() == session_->choices().rules);
    for (QAction* action : actions_->fuel->actions())
        action->setChecked(action->data().toString() == session_->choices().fuel);
}

void MainWindow::showEnabled() {
    const bool there = session_->range() != nullptr;
    actions_->close_range->setEnabled(there);
    for (QAction* action :
         {actions_->reload,         actions_->chain_auto,     actions_->chain_bitcoin,
          actions_->chain_alkanes,  actions_->chain_trace,    actions_->workspace,
          actions_->rules_released, actions_->rules_develop,  actions_->fuel_usual,
          actions_->fuel_exact,     actions_->fuel_counted,   actions_->export_report,
          actions_->export_view,    actions_->copy,           actions_->find,
          actions_->reset_layout,   actions_->save_layout,    actions_->layout_analyse,
          actions_->layout_run,     actions_->layout_compare, actions_->layout_tune,
          actions_->next_block,     actions_->previous_block, actions_->single_version,
          actions_->multi_version,  actions_->policy,         actions_->clear_selection,
          actions_->next_panel,     actions_->previous_panel})
        action->setEnabled(there);
    actions_->use_tuned->setEnabled(tunings_->kept() && !tunings_->usesKept());
    actions_->use_tuned->setToolTip(
        tunings_->kept() ? tr("Kept for %1 and this code: %2")
                               .arg(tunings_->keptDevice(), tunings_->words(*tunings_->kept()))
                         : tr("No sweep was applied for this device and code"));
    actions_->run->setEnabled(!session_->busy() && runs_->whyNot().isEmpty());
    find_->setVisible(there);
    layout_button_->setVisible(there);
    layout_button_->setText(tr("Layout: %1").arg(layout_.current()));
    layout_button_->setAccessibleName(layout_button_->text());
    for (QAction* preset : actions_->layouts->actions())
        preset->setChecked(preset->data().toString() == layout_.current());
}

void MainWindow::showFailure(const QString& message) {
    if (!layout_.isShown()) return first_start_->showError(message);
    // It stands in the Blocks; where those are put away, in the first panel that can be seen.
    if (!docks_.blocks->visibleRegion().isEmpty()) return;
    for (QDockWidget* dock : layout_.visible()) return static_cast<Dock*>(dock)->showError(message);
}

void MainWindow::setTheme(ThemeChoice choice) {
    theme_ = choice;
    settings_->setValue(QStringLiteral("theme"), name_of(choice));
    (choice == ThemeChoice::dark    ? actions_->theme_dark
     : choice == ThemeChoice::light ? actions_->theme_light
                                    : actions_->theme_system)
        ->setChecked(true);
    applyTheme();
}

void MainWindow::applyTheme() {
    const bool dark = theme_ == ThemeChoice::dark ||
                      (theme_ == ThemeChoice::system && system_theme_->prefersDark());
    apply_theme(*qApp, dark ? scene::dark_theme() : scene::light_theme());
}

void MainWindow::writeReport(const QString& path) {
    const auto range = session_->range();
    if (!range) return;
    status_->showMessage(tr("Writing %1").arg(path));
    writing_->start([this, range, path,
                     workers = session_->workers()](const BackgroundWork::Delivery& deliver,
                                                    ProgressSink& sink, std::stop_token stop) {
        const Status status = write_report(*range, path, workers, sink, std::move(stop));
        deliver([this, path, status] {
            auto* log = static_cast<LogDock*>(docks_.log);
            if (!status) {
                const QString message = QString::fromStdString(status.error().message);
                status_->clearMessage();
                log->note(QStringLiteral("error"), message);
                docks_.blocks->showError(message);
                return;
            }
            log->note(QStringLiteral("info"), tr("Report written to %1").arg(path));
            status_->showMessage(tr("Report written to %1").arg(path), 10'000);
            Q_EMIT reportWritten(path);
        });
    });
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    layout_.widthChanged();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    keeper_->end();
    settings_->setValue(QStringLiteral("window/geometry"), saveGeometry());
    layout_.save(*settings_);
    session_->cancel();
    QMainWindow::closeEvent(event);
}

void MainWindow::paintEvent(QPaintEvent* event) {
    QMainWindow::paintEvent(event);
    // The lines of tool bar and status bar reach the window's edges, beside their margins.
    QPainter painter(this);
    painter.setPen(qcolor(current_theme().line));
    const auto line = [this, &painter](int y) { painter.drawLine(0, y, width(), y); };
    line(status_->geometry().top());
    if (!tools_->isVisible()) return;
    line(tools_->geometry().top());
    line(tools_->geometry().bottom());
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (!local_paths(*event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    const QStringList paths = local_paths(*event->mimeData());
    if (paths.isEmpty()) return;
    event->acceptProposedAction();
    open(paths);
}

} // namespace blockloom::ui
