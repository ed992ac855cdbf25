// The main window: first-start page or docks, menus, tool bar, status bar. It only connects them;
// docks and the session do the work.
#pragma once

#include "look/theme_style.h"
#include "session/session.h"
#include "window/dock_layout.h"

#include <QMainWindow>

#include <memory>

class QSettings;
class QToolButton;

namespace blockloom::ui {

class ActionStates;
class BackgroundWork;
class FindBox;
class FirstStart;
class GraphDock;
class NodeChecks;
class PanelFocus;
class RecentModel;
class ReportWriter;
class Runs;
class SessionKeeper;
class StatusRow;
class SystemTheme;
class TipWatch;
class ToolRow;
class Tunings;
class WindowActions;

class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    /// `settingsFile`: where theme, layout and recent ranges are kept; empty: the user's own.
    explicit MainWindow(const QString& settingsFile = {}, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Files, folders or "demo".
    void open(const QStringList& sources, const OpenChoices& choices = {});
    /// Restores what was open when the last window ended, by a close or a crash, with all choices;
    /// false: there is nothing to restore, or the settings disable it.
    bool restoreSession();
    void closeRange(); ///< back to the start page
    void setTheme(ThemeChoice choice);
    [[nodiscard]] ThemeChoice theme() const { return theme_; }

    [[nodiscard]] Session* session() const { return session_; }
    [[nodiscard]] Runs* runs() const { return runs_; }
    [[nodiscard]] Tunings* tunings() const { return tunings_; }
    [[nodiscard]] NodeChecks* checks() const { return checks_; }
    [[nodiscard]] TipWatch* tip() const { return tip_; }
    [[nodiscard]] const Docks& docks() const { return docks_; }
    [[nodiscard]] GraphDock* graph() const { return graph_; }
    [[nodiscard]] WindowActions* commands() const { return actions_; }
    [[nodiscard]] FirstStart* firstStart() const { return first_start_; }
    [[nodiscard]] ToolRow* tools() const { return tools_; }
    [[nodiscard]] FindBox* findBox() const { return find_; }
    [[nodiscard]] RecentModel* recent() const { return recent_; }
    [[nodiscard]] PanelFocus* panels() const { return panels_; }
    [[nodiscard]] SessionKeeper* keeper() const { return keeper_; }
    [[nodiscard]] const DockLayout& layoutOfDocks() const { return layout_; }
    /// Nothing is being analysed, laid out or drawn: the display is final.
    [[nodiscard]] bool isSettled() const;

    /// Writes a report of the open range; a failure is shown in the Blocks dock. Returns at once.
    void writeReport(const QString& path);

Q_SIGNALS:
    void reportWritten(const QString& path);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void connectActions();
    void connectSession();
    void showWorkbench();
    void showRange();
    void showEnabled();
    void showFailure(const QString& message);
    void applyTheme();
    void connectKeeper();
    void askClose();
    void askSettings();
    void askBackends();
    void exportView();
    void askReport();
    void askRunsReport(const QStringList& ids);
    void copyFocused();
    void showPalette();
    void applyLayout(const QString& name);
    void askLayoutName();
    void showCheck();
    void askNode();

    std::unique_ptr<QSettings> settings_;
    SystemTheme* system_theme_;
    ThemeChoice theme_;
    Session* session_;
    Runs* runs_;
    Tunings* tunings_;
    NodeChecks* checks_;
    TipWatch* tip_;
    RecentModel* recent_;
    WindowActions* actions_;
    ToolRow* tools_;
    StatusRow* status_;
    FindBox* find_;
    FirstStart* first_start_;
    GraphDock* graph_;
    Docks docks_;
    DockLayout layout_;
    SessionKeeper* keeper_;
    ActionStates* states_;
    PanelFocus* panels_;
    ReportWriter* reports_;
    BackgroundWork* asking_;
    QStringList shown_sources_;  ///< sources of the range that the panels show
    Dock* failure_in_ = nullptr; ///< the panel that shows the last failure of the session
    bool closing_ = false;       ///< the user confirmed closing although work is in progress
    bool running_ = false;       ///< a run was in progress at the last check
    QToolButton* layout_button_ = nullptr;
};

} // namespace blockloom::ui
