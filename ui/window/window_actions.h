// Every command of the window as an action: name, key, tooltip. Menus, buttons and the list of
// shortcuts are made from these, so that nothing is reachable by mouse only.
#pragma once

#include <QAction>
#include <QObject>

class QActionGroup;
class QMainWindow;
class QUndoStack;

namespace blockloom::ui {

/// Actions only; MainWindow connects them. Owned by the window.
class WindowActions : public QObject {
    Q_OBJECT

public:
    WindowActions(QMainWindow* window, QUndoStack& stack);

    QAction *open_demo, *open_files, *open_folder, *open_node, *reload, *export_report,
        *export_runs, *export_view, *close_range, *settings, *quit;
    QAction *undo, *redo, *copy, *find;
    QAction *theme_system, *theme_dark, *theme_light, *reset_layout, *save_layout, *full_screen;
    QAction *layout_analyse, *layout_run, *layout_compare, *layout_tune;
    QActionGroup *themes, *layouts; ///< layouts: presets, the name as data
    QAction *chain_auto, *chain_bitcoin, *chain_alkanes, *chain_trace, *workspace;
    QAction *state_database, *state_node, *state_bundle, *state_none, *check, *show_check, *follow;
    QActionGroup* chains; ///< each with the chain's name as data
    QAction *rules_released, *rules_develop;
    QActionGroup* rules; ///< each with the line's name as data
    QAction *fuel_usual, *fuel_exact, *fuel_counted;
    QActionGroup* fuel; ///< each with the rule's name as data, or no data
    QAction *next_block, *previous_block, *run, *use_tuned, *pause, *cancel;
    QAction *single_version, *multi_version, *unit_cost, *own_cost, *policy, *relax_key,
        *clear_policy;
    QActionGroup *models, *costs;
    QAction *back, *forward, *clear_selection;
    QAction *next_panel, *previous_panel;
    QAction *palette, *guide, *shortcuts, *about;

private:
    QAction* make(const char* icon, const QString& text, const QKeySequence& key,
                  const QString& group);
    QMainWindow* window_;
};

/// The name of a command outside its menu, with its subject ("Theme: dark").
[[nodiscard]] QString command_name(const QAction& action);

/// A command and its key, for the list of shortcuts. Actions without a key are left out.
struct ShortcutRow {
    QString group, text, keys;
};
[[nodiscard]] QList<ShortcutRow> shortcut_rows(const QMainWindow& window);

} // namespace blockloom::ui
