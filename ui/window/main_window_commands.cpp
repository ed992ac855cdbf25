// What the commands of the window do: menus and their handlers.
#include "compute/settings.h"
#include "docks/contention_dock.h"
#include "docks/graph/graph_dock.h"
#include "docks/inspector/inspector_dock.h"
#include "look/plain_text.h"
#include "look/table.h"
#include "session/rules.h"
#include "session/runs.h"
#include "session/session.h"
#include "session/tunings.h"
#include "text/numbers.h"
#include "window/command_palette.h"
#include "window/find_box.h"
#include "window/first_start.h"
#include "window/guide_dialog.h"
#include "window/help_dialogs.h"
#include "window/main_window.h"
#include "window/policy_dialog.h"
#include "window/report_export.h"
#include "window/settings_dialog.h"
#include "window/status_row.h"
#include "window/tool_row.h"
#include "window/window_actions.h"

#include "models/recent_model.h"

#include <QActionGroup>
#include <QApplication>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QMenuBar>
#include <QSettings>
#include <QToolButton>

namespace blockloom::ui {
namespace {

constexpr int menu_height = 32;

} // namespace

void MainWindow::makeMenus() {
    WindowActions& a = *actions_;
    QMenuBar* bar = menuBar();
    QMenu* file = bar->addMenu(tr("&File"));
    file->addActions({a.open_demo, a.open_files, a.open_folder});
    QMenu* recent = file->addMenu(tr("&Recent"));
    connect(recent, &QMenu::aboutToShow, this, [this, recent] {
        recent->clear();
        for (int row = 0; row < recent_->rowCount(); ++row) {
            const QString missing = recent_->isMissing(row) ? tr(" (not found)") : QString();
            QAction* action = recent->addAction(
                literal_title(QStringLiteral("%1 · %2%3")
                                  .arg(shortened(recent_->at(row).title, 60, 20),
                                       shortened(recent_->place(row), 60, 60), missing)));
            action->setEnabled(missing.isEmpty());
            connect(action, &QAction::triggered, this,
                    [this, sources = recent_->at(row).sources] { open(sources); });
        }
        if (recent->isEmpty()) recent->addAction(tr("Nothing yet"))->setEnabled(false);
    });
    file->addSeparator();
    file->addActions({a.export_report, a.export_view});
    file->addSeparator();
    file->addAction(a.settings);
    file->addSeparator();
    file->addActions({a.close_range, a.quit});

    QMenu* edit = bar->addMenu(tr("&Edit"));
    edit->addActions({a.undo, a.redo});
    edit->addSeparator();
    edit->addActions({a.copy, a.find});
    edit->addSeparator();
    edit->addActions({a.back, a.forward, a.clear_selection});

    QMenu* view = bar->addMenu(tr("&View"));
    for (Dock* dock : docks_.all()) view->addAction(dock->toggleViewAction());
    view->addSeparator();
    QMenu* theme = view->addMenu(tr("&Theme"));
    theme->addActions({a.theme_system, a.theme_dark, a.theme_light});
    layout_menu_ = view->addMenu(tr("&Layout"));
    connect(layout_menu_, &QMenu::aboutToShow, this, &MainWindow::fillLayouts);
    fillLayouts();

    QMenu* range = bar->addMenu(tr("&Range"));
    range->addActions({a.next_block, a.previous_block});
    range->addSeparator();
    QMenu* chain = range->addMenu(tr("Read &as"));
    chain->addActions(a.chains->actions());
    QMenu* rules = range->addMenu(tr("R&ules"));
    rules->addActions(a.rules->actions());
    rules->addSection(tr("Fuel"));
    rules->addActions(a.fuel->actions());
    range->addAction(a.workspace);
    range->addSeparator();
    range->addActions({a.run, a.use_tuned, a.pause, a.reload, a.cancel});

    QMenu* analyse = bar->addMenu(tr("&Analyse"));
    analyse->addSection(tr("Conflict model"));
    analyse->addActions({a.single_version, a.multi_version});
    analyse->addSection(tr("Cost"));
    analyse->addActions({a.unit_cost, a.own_cost});
    analyse->addSeparator();
    analyse->addActions({a.relax_key, a.policy, a.clear_policy});

    QMenu* window = bar->addMenu(tr("&Window"));
    window->addActions({a.next_panel, a.previous_panel, a.full_screen});

    QMenu* help = bar->addMenu(tr("&Help"));
    help->addActions({a.palette, a.guide, a.shortcuts, a.about});
    // A holder, because a corner widget fills the bar from edge to edge.
    auto* corner = new QWidget(bar);
    auto* row = new QHBoxLayout(corner);
    row->setContentsMargins(0, 2, 6, 2); // the ring of the focus fits
    QSizePolicy room = find_->sizePolicy();
    room.setRetainSizeWhenHidden(true); // it comes with the first range
    find_->setSizePolicy(room);
    row->setSpacing(8);
    row->addWidget(find_);
    layout_button_ = new QToolButton(corner);
    layout_button_->setObjectName(QStringLiteral("layoutButton"));
    layout_button_->setPopupMode(QToolButton::InstantPopup);
    layout_button_->setMenu(layout_menu_);
    layout_button_->setFocusPolicy(Qt::TabFocus);
    layout_button_->setToolTip(tr("How the panels stand"));
    layout_button_->setFixedSize(132, 26); // the corner is laid out once, before it has a text
    QSizePolicy place = layout_button_->sizePolicy();
    place.setRetainSizeWhenHidden(true);
    layout_button_->setSizePolicy(place);
    row->addWidget(layout_button_);
    bar->setFixedHeight(menu_height);
    bar->setCornerWidget(corner, Qt::TopRightCorner);
}

void MainWindow::connectActions() {
    WindowActions& a = *actions_;
    const auto on = [this](QAction* action, auto act) {
        connect(action, &QAction::triggered, this, act);
    };
    on(a.open_demo, [this] { open({QStringLiteral("demo")}); });
    on(a.open_files, [this] { askOpen(false); });
    on(a.open_folder, [this] { askOpen(true); });
    on(a.reload, [this] { open(session_->sources(), session_->choices()); });
    connect(a.chains, &QActionGroup::triggered, this, [this](const QAction* action) {
        OpenChoices choices = session_->choices();
        choices.chain = action->data().toString();
        if (choices != session_->choices()) open(session_->sources(), choices);
    });
    connect(a.rules, &QActionGroup::triggered, this, [this](const QAction* action) {
        OpenChoices choices = session_->choices();
        choices.rules = action->data().toString();
        if (choices != session_->choices()) open(session_->sources(), choices);
    });
    connect(a.fuel, &QActionGroup::triggered, this, [this](const QAction* action) {
        OpenChoices choices = session_->choices();
        choices.fuel = action->data().toString();
        if (choices != session_->choices()) open(session_->sources(), choices);
    });
    on(a.workspace, [this] { askWorkspace(); });
    on(a.export_report, [this] { askReport(); });
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
    on(a.next_block, [this] { session_->setCurrentRow(session_->currentRow() + 1); });
    on(a.previous_block, [this] { session_->setCurrentRow(session_->currentRow() - 1); });
    on(a.cancel, [this] { session_->cancel(); });
    on(a.single_version, [this] { session_->setModel(conflict::ConflictModel::single_version); });
    on(a.multi_version, [this] { session_->setModel(conflict::ConflictModel::multi_version); });
    on(a.unit_cost, [this] { session_->setUseCost(false); });
    on(a.own_cost, [this] { session_->setUseCost(true); });
    on(a.relax_key, [this] {
        const auto block = session_->currentBlock();
        const auto key = session_->selectedKey();
        if (!block || !key) return;
        const std::string name = block->analysis.index->trace->keys->printable(*key);
        session_->relaxKey(QString::fromStdString(name),
                           !is_relaxed(session_->options().policy, name));
    });
    on(a.policy, [this] { askPolicy(); });
    on(a.clear_policy, [this] { session_->setPolicy({}, tr("clear the policy")); });
    on(a.back, [this] { session_->goBack(); });
    on(a.forward, [this] { session_->goForward(); });
    on(a.clear_selection, [this] {
        session_->selectTask(std::nullopt);
        session_->selectKey(std::nullopt);
    });
    on(a.pause, [this] { runs_->setPaused(!runs_->pauseAsked()); });
    on(a.run, [this] { runs_->start(); });
    on(a.use_tuned, [this] { tunings_->useKept(); });
    on(a.next_panel, [this] { walkPanels(1); });
    on(a.previous_panel, [this] { walkPanels(-1); });
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

void MainWindow::askOpen(bool folder) {
    auto* dialog =
        new QFileDialog(this, folder ? tr("Open a folder of blocks") : tr("Open block files"));
    dialog->setObjectName(QStringLiteral("openDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(folder ? QFileDialog::Directory : QFileDialog::ExistingFiles);
    dialog->setNameFilters({tr("All files (*)"), tr("Blocks (*.bin *.dat *.hex *.blk)"),
                            tr("Traces (*.bloomtrace *.bloomtrace.gz)")});
    connect(dialog, &QFileDialog::filesSelected, this,
            [this](const QStringList& files) { open(files); });
    dialog->open();
}

void MainWindow::askWorkspace() {
    auto* dialog = new QFileDialog(this, tr("Workspace with the state before the first block"));
    dialog->setObjectName(QStringLiteral("workspaceDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& folder) {
        open(session_->sources(), {QStringLiteral("alkanes"), folder});
    });
    dialog->open();
}

void MainWindow::askReport() {
    auto* dialog = new QFileDialog(this, tr("Export the report"));
    dialog->setObjectName(QStringLiteral("reportDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters(report_filters().split(QStringLiteral(";;")));
    dialog->setDefaultSuffix(QStringLiteral("html"));
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
        dialog->setDefaultSuffix(filter.section(QStringLiteral("*."), 1).chopped(1));
    });
    dialog->selectFile(QStringLiteral("blockloom-report.html"));
    connect(dialog, &QFileDialog::fileSelected, this, &MainWindow::writeReport);
    dialog->open();
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
    Dock* dock = last_dock_ != nullptr && last_dock_->canExport() ? last_dock_ : docks_.graph;
    dock->exportView();
}

void MainWindow::askPolicy() {
    auto* dialog = new PolicyDialog(session_->options().policy, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this,
            [this, dialog] { session_->setPolicy(dialog->policy(), tr("change the key policy")); });
    dialog->open();
}

void MainWindow::copyFocused() {
    QWidget* focus = QApplication::focusWidget();
    if (focus != nullptr && focus->metaObject()->indexOfMethod("copy()") >= 0)
        QMetaObject::invokeMethod(focus, "copy");
    else
        static_cast<InspectorDock*>(docks_.inspector)->copy();
}

/// The menu says which layouts there are: presets, those of the user, and what can be done.
void MainWindow::fillLayouts() {
    const WindowActions& a = *actions_;
    layout_menu_->clear();
    layout_menu_->addActions(a.layouts->actions());
    for (QAction* preset : a.layouts->actions())
        preset->setChecked(preset->data().toString() == layout_.current());
    layout_menu_->addSeparator();
    for (const QString& name : layout_.saved()) {
        QAction* own = layout_menu_->addAction(literal_title(name));
        own->setCheckable(true);
        own->setChecked(name == layout_.current());
        connect(own, &QAction::triggered, this, [this, name] { applyLayout(name); });
    }
    layout_menu_->addSeparator();
    layout_menu_->addActions({a.save_layout, a.reset_layout});
    if (!layout_.saved().isEmpty()) {
        QMenu* forget = layout_menu_->addMenu(tr("&Forget"));
        for (const QString& name : layout_.saved())
            connect(forget->addAction(literal_title(name)), &QAction::triggered, this,
                    [this, name] {
                        layout_.forget(name);
                        showEnabled();
                    });
    }
}

void MainWindow::applyLayout(const QString& name) {
    if (!layout_.isShown() || !layout_.apply(name)) return;
    showEnabled();
}

void MainWindow::askLayoutName() {
    auto* dialog = new QInputDialog(this);
    dialog->setObjectName(QStringLiteral("layoutDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Save the layout"));
    dialog->setLabelText(tr("Name of the layout"));
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString& name) {
        if (!layout_.saveAs(name))
            return status_->showMessage(tr("\"%1\" names a layout that is always there").arg(name),
                                        10'000);
        layout_.save(*settings_);
        showEnabled();
    });
    dialog->open();
}

/// Everything that has a name: commands, panels, and where a run can go.
void MainWindow::showPalette() {
    QList<Command> commands = commands_of(*this);
    if (layout_.isShown()) {
        for (Dock* dock : docks_.all())
            commands.append(
                {tr("Panels"), tr("Go to %1").arg(dock->windowTitle()), {}, true, [this, dock] {
                     goTo(dock);
                 }});
        for (const QString& name : layout_.saved())
            commands.append({tr("View"), tr("Layout: %1").arg(name), {}, true, [this, name] {
                                 applyLayout(name);
                             }});
        for (const Backend& backend : runs_->backends())
            commands.append({tr("Run on"),
                             tr("Backend: %1").arg(backend.name),
                             {},
                             backend.usable(),
                             [this, key = backend.key] { runs_->setBackend(key); }});
        for (const StrategyChoice& strategy : runs_->strategies())
            commands.append({tr("Run on"),
                             tr("Strategy: %1").arg(strategy.name),
                             {},
                             strategy.usable(),
                             [this, name = strategy.name] { runs_->setStrategy(name); }});
    }
    (new CommandPalette(std::move(commands), this))->show();
}

void MainWindow::goTo(Dock* dock) {
    dock->show();
    dock->raise();
    for (QWidget* child : dock->widget()->findChildren<QWidget*>())
        if ((child->focusPolicy() & Qt::TabFocus) != 0 && child->isVisible() &&
            child->isEnabled()) {
            child->setFocus(Qt::TabFocusReason);
            return;
        }
    dock->widget()->setFocus(Qt::TabFocusReason);
}

void MainWindow::walkPanels(int step) {
    const QList<QDockWidget*> panels = layout_.visible();
    if (panels.isEmpty()) return;
    qsizetype at = step > 0 ? -1 : 0;
    for (qsizetype i = 0; i < panels.size(); ++i)
        if (panels.at(i)->isAncestorOf(QApplication::focusWidget())) at = i;
    goTo(static_cast<Dock*>(panels.at((at + step + panels.size()) % panels.size())));
}

} // namespace blockloom::ui
