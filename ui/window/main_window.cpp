#include "window/main_window.h"

#include "compute/settings.h"
#include "docks/advice_dock.h"
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
#include "look/apply_theme.h"
#include "look/plain_text.h"
#include "look/system_theme.h"
#include "look/table.h"
#include "models/log_model.h"
#include "models/recent_model.h"
#include "session/backends.h"
#include "session/background_work.h"
#include "session/node_checks.h"
#include "session/runs.h"
#include "session/session.h"
#include "session/shortage.h"
#include "session/tip_watch.h"
#include "session/tunings.h"
#include "text/numbers.h"
#include "text/to_qt.h"
#include "window/action_states.h"
#include "window/card_button.h"
#include "window/check_dialog.h"
#include "window/command_palette.h"
#include "window/file_dialogs.h"
#include "window/find_box.h"
#include "window/first_start.h"
#include "window/guide_dialog.h"
#include "window/help_dialogs.h"
#include "window/layout_menu.h"
#include "window/machine_line.h"
#include "window/node_dialog.h"
#include "window/panel_focus.h"
#include "window/report_writer.h"
#include "window/session_commands.h"
#include "window/session_keeper.h"
#include "window/settings_dialog.h"
#include "window/status_row.h"
#include "window/tool_row.h"
#include "window/window_actions.h"
#include "window/window_menus.h"
#include "window/window_place.h"
#include "window/workbench_commands.h"

#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPainter>
#include <QPushButton>
#include <QSettings>
#include <QToolButton>

#include <utility>

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
            .contention = new ContentionDock(session, runs, parent),
            .breakdown = new BreakdownDock(runs, parent),
            .compare = new CompareDock(session, runs, parent),
            .tuning = new TuningDock(session, runs, tunings, parent),
            .timeline = new TimelineDock(session, runs, parent),
            .inspector = new InspectorDock(session, runs, parent),
            .live = new LiveDock(runs, parent),
            .runs = new RunsDock(runs, parent),
            .advice = new AdviceDock(session, runs, parent),
            .log = new LogDock(session, parent)};
}

/// Beside the settings, because it is as private as they are.
QString session_file(const QSettings& settings) {
    return QFileInfo(settings.fileName()).absolutePath() + QStringLiteral("/session.json");
}

void apply(ThemeChoice choice, const SystemTheme& system) {
    const bool dark =
        choice == ThemeChoice::dark || (choice == ThemeChoice::system && system.prefersDark());
    apply_theme(*qApp, dark ? scene::dark_theme() : scene::light_theme());
}

/// Applies the theme of the settings. Before there are panels: Qt would resolve the style sheet
/// for each of their widgets, which takes as long as making them.
ThemeChoice applied_theme(const QSettings& settings, const SystemTheme& system) {
    const ThemeChoice choice =
        theme_choice_named(settings.value(QStringLiteral("theme")).toString());
    apply(choice, system);
    return choice;
}

/// Every widget, this window too, begins with the application's style and fonts.
QWidget* after_look(QWidget* parent) {
    start_look(*qApp);
    return parent;
}

QStringList local_paths(const QMimeData& mime) {
    QStringList paths;
    for (const QUrl& url : mime.urls())
        if (url.isLocalFile()) paths.append(url.toLocalFile());
    return paths;
}

} // namespace

MainWindow::MainWindow(const QString& settingsFile, QWidget* parent)
    : QMainWindow(after_look(parent)), settings_(make_settings(settingsFile)),
      system_theme_(new SystemTheme(this)), theme_(applied_theme(*settings_, *system_theme_)),
      session_(new Session(this)), runs_(new Runs(session_, this)),
      tunings_(new Tunings(session_, runs_, this)), checks_(new NodeChecks(session_, runs_, this)),
      tip_(new TipWatch(session_, this)), recent_(new RecentModel(this)),
      actions_(new WindowActions(this, session_->undoStack())),
      tools_(new ToolRow(session_, runs_, recent_, this)),
      status_(new StatusRow(session_, tip_, this)), find_(new FindBox(session_, this)),
      first_start_(new FirstStart(recent_, this)), graph_(new GraphDock(session_, this)),
      docks_(make_docks(session_, runs_, tunings_, graph_, this)), layout_(this, docks_),
      keeper_(new SessionKeeper(session_, runs_, graph_, session_file(*settings_), this)),
      states_(new ActionStates(*actions_, session_, runs_, tunings_, checks_, tip_, this)),
      panels_(new PanelFocus(layout_, this)), reports_(new ReportWriter(session_, runs_, this)),
      asking_(new BackgroundWork(this)) {
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
    auto* layouts = new LayoutMenu(*actions_, layout_, this);
    connect(layouts, &LayoutMenu::chosen, this, &MainWindow::applyLayout);
    connect(layouts, &LayoutMenu::forgotten, this, &MainWindow::showEnabled);
    layout_button_ =
        make_menus(*menuBar(), {.actions = *actions_,
                                .recent = *recent_,
                                .docks = docks_,
                                .layouts = *layouts,
                                .find = *find_,
                                .open = [this](const QStringList& sources) { open(sources); }});
    connectActions();
    connectSession();
    connectKeeper();
    setTheme(theme_);

    place_window(*this, settings_->value(QStringLiteral("window/geometry")).toByteArray());
    showEnabled();
    states_->showRules();
    states_->showChoices();
    askBackends();
    if (!wrong_settings.isEmpty()) {
        static_cast<LogDock*>(docks_.log)->note(QStringLiteral("error"), wrong_settings);
        first_start_->showError(wrong_settings);
    }
    first_start_->demoButton()->setFocus(Qt::TabFocusReason);
    first_start_->demoButton()->setDefault(true);
}

MainWindow::~MainWindow() {
    // Docks still draw what the session holds, so the session is destroyed last.
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
    shown_sources_.clear();
    keeper_->forget();
    first_start_->show();
    showEnabled();
    first_start_->demoButton()->setFocus(Qt::OtherFocusReason);
}

void MainWindow::connectKeeper() {
    keeper_->watch(this);
    for (Dock* dock : docks_.all()) keeper_->watch(dock);
    keeper_->watchPicture([this] { return isSettled(); });
    auto* timeline = static_cast<TimelineDock*>(docks_.timeline);
    const QString log_counts = QStringLiteral("timeline/logCounts");
    timeline->setLogCounts(settings_->value(log_counts).toBool());
    connect(timeline, &TimelineDock::logCountsChanged, this,
            [this, log_counts](bool logarithmic) { settings_->setValue(log_counts, logarithmic); });
    connect(keeper_, &SessionKeeper::keeping, this, [this] {
        layout_.save(*settings_);
        settings_->setValue(QStringLiteral("window/geometry"), saveGeometry());
        settings_->sync(); // now: the next turn of the event loop may not come
    });
    connect(keeper_, &SessionKeeper::restored, this, [this] {
        status_->showMessage(
            tr("Last session restored. File ▸ Close range returns to the start page"), 10'000);
    });
    connect(keeper_, &SessionKeeper::failed, this, [this](const QString& message) {
        static_cast<LogDock*>(docks_.log)->note(QStringLiteral("warning"), message);
        if (layout_.isShown())
            status_->showMessage(message, 20'000);
        else
            first_start_->showError(message);
        if (!keeper_->heldBack()) return;
        first_start_->offer(tr("Open anyway"), [this] { keeper_->restoreAnyway(); });
    });
}

/// Drivers are slow: the list is shown when they have answered.
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
        tools_->setVisible(busy || session_->range() != nullptr);
        first_start_->setOpening(busy);
        showEnabled();
    });
    connect(session_, &Session::failed, this, &MainWindow::showFailure);
    connect(session_, &Session::cancelled, this,
            [this](const QString& words) { status_->showMessage(words, 20'000); });
    connect(runs_, &Runs::liveChanged, this, [this] {
        if (std::exchange(running_, runs_->running()) || !running_) return;
        panels_->bringForward(docks_.live);
    });
    connect(runs_, &Runs::finished, this, [this](const QString& words) {
        status_->showMessage(words, 10'000);
        if (!docks_.timeline->visibleRegion().isEmpty()) return; // it answers the same question
        panels_->bringForward(docks_.breakdown);
    });
    connect(runs_, &Runs::backendsChanged, this,
            [this] { first_start_->machine()->setBackends(runs_->backends()); });
    for (const auto changed : {&Runs::choiceChanged, &Runs::keptChanged})
        connect(runs_, changed, this, &MainWindow::showEnabled);
    connect(tunings_, &Tunings::keptChanged, this, &MainWindow::showEnabled);
    connect(checks_, &NodeChecks::ended, this, &MainWindow::showCheck);
    connect(actions_->check, &QAction::triggered, checks_, &NodeChecks::start);
    connect(actions_->show_check, &QAction::triggered, this, &MainWindow::showCheck);
    connect(static_cast<RunsDock*>(docks_.runs), &RunsDock::checkRequested, this,
            [this](const QString& run) {
                checks_->show(run);
                showCheck();
            });
    connect(actions_->follow, &QAction::triggered, tip_, &TipWatch::setFollowing);
    connect(tip_, &TipWatch::replaced, this,
            [this](const QString& words) { status_->showMessage(words, 20'000); });
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
    connect(reports_, &ReportWriter::written, this, [this](const QString& path) {
        static_cast<LogDock*>(docks_.log)
            ->note(QStringLiteral("info"), tr("Report written to %1").arg(path));
        status_->showMessage(tr("Report written to %1").arg(path), 10'000);
        Q_EMIT reportWritten(path);
    });
    connect(reports_, &ReportWriter::failed, this, [this](const QString& message) {
        status_->clearMessage();
        static_cast<LogDock*>(docks_.log)->note(QStringLiteral("error"), message);
        showFailure(message);
    });
    connect(reports_, &ReportWriter::began, this,
            [this](const QString& path) { status_->showMessage(tr("Writing %1").arg(path)); });
    connect(reports_, &ReportWriter::waits, this, [this](const QString& path) {
        status_->showMessage(tr("%1 will be written after the work in progress").arg(path), 10'000);
    });
    connect(static_cast<RunsDock*>(docks_.runs), &RunsDock::reportRequested, this,
            &MainWindow::askRunsReport);
    connect(static_cast<CompareDock*>(docks_.compare), &CompareDock::reportRequested, this,
            &MainWindow::askRunsReport);
    connect(system_theme_, &SystemTheme::changed, this, &MainWindow::applyTheme);
}

void MainWindow::showWorkbench() {
    if (layout_.isShown()) return;
    first_start_->hide();
    setContentsMargins(6, 0, 6, 0); // the gap between docks, at the edges too
    tools_->show();
    layout_.showAll();
    panels_->take(layout_.front());
}

void MainWindow::showRange() {
    const auto range = session_->range();
    if (!range) return;
    // Errors of what was open before are not about this range.
    if (std::exchange(shown_sources_, session_->sources()) != session_->sources())
        for (Dock* dock : docks_.all()) dock->clearError();
    const QString title = to_qt(range->title);
    showWorkbench();
    if (!session_->choices().from) // a source alone does not name the blocks of a node
        recent_->add({session_->sources(), title.section(QStringLiteral(" · "), 0, 0),
                      tr("%1 · %2").arg(counted(range->totals.blocks, tr("block"), tr("blocks")),
                                        counted(range->totals.tasks, tr("task"), tr("tasks"))),
                      QDateTime::currentDateTime()});
    recent_->save(*settings_);
    setWindowTitle(tr("%1 — Blockloom").arg(recent_->distinct(title, session_->sources())));
    showEnabled();
}

void MainWindow::showEnabled() {
    states_->show(layout_.current());
    const bool there = session_->range() != nullptr;
    find_->setVisible(there);
    layout_button_->setVisible(there);
    layout_button_->setText(tr("Layout: %1").arg(layout_.current()));
    layout_button_->setAccessibleName(layout_button_->text());
}

void MainWindow::showFailure(const QString& message) {
    if (!layout_.isShown()) return first_start_->showError(message);
    // In one place: Blocks, or if that is hidden, the first visible panel.
    Dock* dock = docks_.blocks;
    const QList<QDockWidget*> visible = layout_.visible();
    if (dock->visibleRegion().isEmpty() && !visible.isEmpty())
        dock = static_cast<Dock*>(visible.first());
    if (failure_in_ != nullptr && failure_in_ != dock) failure_in_->clearError();
    failure_in_ = dock;
    dock->showError(message);
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
    apply(theme_, *system_theme_);
}

void MainWindow::writeReport(const QString& path) {
    reports_->writeRange({path});
}

void MainWindow::askReport() {
    ask_for_report(*this, tr("Export the report"), QStringLiteral("blockloom-report"),
                   range_report_filters(),
                   [this](const ReportFile& file) { reports_->writeRange(file); });
}

void MainWindow::askRunsReport(const QStringList& ids) {
    const bool one = ids.size() == 1, two = ids.size() == 2;
    ask_for_report(*this,
                   one   ? tr("Export a report of run %1").arg(ids.front())
                   : two ? tr("Export a report of two runs and their comparison")
                         : tr("Export a report of %1 runs").arg(ids.size()),
                   one   ? ids.front()
                   : two ? QStringLiteral("comparison")
                         : QStringLiteral("runs"),
                   runs_report_filters(),
                   [this, ids](const ReportFile& file) { reports_->writeRuns(ids, file); });
}

/// Blocks by height, perhaps with the state before them.
void MainWindow::askNode() {
    auto* dialog = new NodeDialog(last_node(*settings_), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        const NodeChoice choice = dialog->choice();
        keep_last_node(*settings_, choice);
        open({source_of(choice)}, choices_of(choice));
    });
    dialog->open();
}

void MainWindow::showCheck() {
    auto* dialog = findChild<CheckDialog*>();
    if (dialog == nullptr) dialog = new CheckDialog(session_, checks_, this);
    dialog->show();
    dialog->raise();
    dialog->activateWindow();
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    layout_.widthChanged();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (session_->performs() && !closing_) {
        event->ignore();
        return askClose();
    }
    keeper_->end();
    settings_->setValue(QStringLiteral("window/geometry"), saveGeometry());
    layout_.save(*settings_);
    session_->cancel();
    QMainWindow::closeEvent(event);
}

void MainWindow::askClose() {
    if (findChild<QMessageBox*>(QStringLiteral("closeDialog")) != nullptr) return;
    auto* ask = new QMessageBox(
        QMessageBox::Question, tr("Close Blockloom"),
        tr("%1 in progress. If you close now, it is stopped and its results are lost.")
            .arg(session_->workName()),
        QMessageBox::NoButton, this);
    ask->setObjectName(QStringLiteral("closeDialog"));
    ask->setAttribute(Qt::WA_DeleteOnClose);
    QPushButton* stop = ask->addButton(tr("Stop and close"), QMessageBox::AcceptRole);
    ask->setDefaultButton(ask->addButton(tr("Keep running"), QMessageBox::RejectRole));
    connect(stop, &QPushButton::clicked, this, [this] {
        closing_ = true;
        close();
    });
    // The work has ended: there is nothing left to ask.
    connect(session_, &Session::busyChanged, ask, [ask](bool busy) {
        if (!busy) ask->close();
    });
    ask->open();
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

void MainWindow::connectActions() {
    WindowActions& a = *actions_;
    const auto on = [this](QAction* action, auto act) {
        connect(action, &QAction::triggered, this, act);
    };
    on(a.open_demo, [this] { open({QStringLiteral("demo")}); });
    const auto ask = [this](bool folder) {
        ask_for_sources(*this, folder, [this](const QStringList& sources) { open(sources); });
    };
    on(a.open_files, [ask] { ask(false); });
    on(a.open_folder, [ask] { ask(true); });
    on(a.open_node, [this] { askNode(); });
    on(a.export_report, [this] { askReport(); });
    on(a.export_runs, [this] { static_cast<RunsDock*>(docks_.runs)->askReport(); });
    on(a.export_view, [this] { exportView(); });
    on(a.close_range, [this] { closeRange(); });
    on(a.settings, [this] { askSettings(); });
    on(a.quit, [this] { close(); });
    on(a.copy, [this] { copyFocused(); });
    on(a.find, [this] {
        find_->setFocus(Qt::ShortcutFocusReason);
        find_->selectAll();
    });
    on(a.theme_system, [this] { setTheme(ThemeChoice::system); });
    on(a.theme_dark, [this] { setTheme(ThemeChoice::dark); });
    on(a.theme_light, [this] { setTheme(ThemeChoice::light); });
    on(a.reset_layout, [this] { applyLayout(layout_.current()); });
    on(a.save_layout, [this] { askLayoutName(); });
    connect(a.layouts, &QActionGroup::triggered, this,
            [this](const QAction* action) { applyLayout(action->data().toString()); });
    on(a.palette, [this] { showPalette(); });
    connect(a.full_screen, &QAction::toggled, this,
            [this](bool full) { full ? showFullScreen() : showNormal(); });
    connect_session_commands(a, *session_, *this, [this](const OpenChoices& choices) {
        open(session_->sources(), choices);
    });
    on(a.pause, [this] { runs_->setPaused(!runs_->pauseAsked()); });
    on(a.run, [this] { runs_->start(); });
    on(a.use_tuned, [this] { tunings_->useKept(); });
    on(a.next_panel, [this] { panels_->walk(1); });
    on(a.previous_panel, [this] { panels_->walk(-1); });
    on(a.guide, [this] { show_guide(*this, {}); });
    for (Dock* dock : docks_.all())
        connect(dock, &Dock::helpRequested, this, [this, dock] {
            show_guide(*this, guide_anchor(dock->windowTitle())); // a section bears its title
        });
    on(a.shortcuts, [this] { show_shortcuts(*this); });
    on(a.about, [this] { show_about(*this); });

    connect(first_start_, &FirstStart::demoRequested, a.open_demo, &QAction::trigger);
    connect(first_start_, &FirstStart::openRequested, a.open_files, &QAction::trigger);
    connect(first_start_, &FirstStart::guideRequested, a.guide, &QAction::trigger);
    connect(first_start_, &FirstStart::shortcutsRequested, a.shortcuts, &QAction::trigger);
    connect(first_start_, &FirstStart::recentRequested, this,
            [this](int row) { open(recent_->at(row).sources); });
    connect(tools_, &ToolRow::openRequested, this,
            [this](const QStringList& sources) { open(sources); });
    connect(tools_, &ToolRow::openDialogRequested, a.open_files, &QAction::trigger);
}

void MainWindow::askSettings() {
    const auto workspace = QStringLiteral("runs/workspace"),
               restore = QStringLiteral("start/restore");
    auto* dialog = new SettingsDialog(
        {theme_, settings_->value(restore, true).toBool(), settings_->value(workspace).toString()},
        compute::settings_file().string(), runs_->backends(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &SettingsDialog::applied, this, [this, dialog, workspace, restore] {
        const WindowSettings chosen = dialog->chosen();
        settings_->setValue(restore, chosen.restore);
        settings_->setValue(workspace, chosen.workspace);
        if (chosen.theme != theme_) setTheme(chosen.theme);
        runs_->setFolder(chosen.workspace);
        if (const QString wrong = take_limits(*runs_); !wrong.isEmpty()) showFailure(wrong);
        askBackends(); // Auto may take another one now
    });
    dialog->open();
}

void MainWindow::exportView() {
    Dock* last = panels_->last();
    Dock* dock = last != nullptr && last->canExport() ? last : docks_.graph;
    dock->exportView();
}

void MainWindow::copyFocused() {
    QWidget* focus = QApplication::focusWidget();
    if (focus != nullptr && focus->metaObject()->indexOfMethod("copy()") >= 0)
        QMetaObject::invokeMethod(focus, "copy");
    else
        static_cast<InspectorDock*>(docks_.inspector)->copy();
}

void MainWindow::applyLayout(const QString& name) {
    if (!layout_.isShown() || !layout_.apply(name)) return;
    showEnabled();
    // What had the focus may be hidden now: the keys that the front panel shows must work
    // immediately.
    panels_->take(layout_.front());
}

void MainWindow::askLayoutName() {
    auto* dialog = new QInputDialog(this);
    dialog->setObjectName(QStringLiteral("layoutDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Save layout"));
    dialog->setLabelText(tr("Layout name"));
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString& name) {
        if (!layout_.saveAs(name))
            return status_->showMessage(
                tr("\"%1\" is a built-in layout: choose another name").arg(name), 10'000);
        layout_.save(*settings_);
        showEnabled();
    });
    dialog->open();
}

void MainWindow::showPalette() {
    QList<Command> commands = commands_of(*this);
    if (layout_.isShown())
        commands += workbench_commands(
            docks_, layout_.saved(), *runs_, [this](Dock* dock) { panels_->goTo(dock); },
            [this](const QString& name) { applyLayout(name); });
    (new CommandPalette(std::move(commands), this))->show();
}

} // namespace blockloom::ui
