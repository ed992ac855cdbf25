#include "window/window_actions.h"

#include "alkanes/rule_table.h"
#include "look/icons.h"
#include "look/plain_text.h"
#include "text/to_qt.h"

#include <QActionGroup>
#include <QMainWindow>
#include <QUndoStack>

#include <algorithm>
#include <utility>

namespace blockloom::ui {
namespace {

using alkanes::RuleLine;

QString follows(RuleLine line) {
    return to_qt(followed_by(line));
}

} // namespace

QAction* WindowActions::make(const char* icon_name, const QString& text, const QKeySequence& key,
                             const QString& group) {
    auto* action = new QAction(text, window_);
    if (icon_name != nullptr) action->setIcon(icon(icon_name));
    action->setShortcut(key);
    action->setProperty("shortcutGroup", group);
    window_->addAction(action); // keys work while the menu bar is hidden, too
    return action;
}

WindowActions::WindowActions(QMainWindow* window, QUndoStack& stack)
    : QObject(window), window_(window) {
    const QString file = tr("File"), edit = tr("Edit"), view = tr("View"), range = tr("Range"),
                  analyse = tr("Analyse"), panels = tr("Panels"), help = tr("Help");
    const auto with = [](Qt::Modifiers modifiers, Qt::Key key) {
        return QKeySequence(modifiers | key);
    };
    open_demo = make("run", tr("Open the &demo"), with(Qt::CTRL, Qt::Key_D), file);
    open_files = make("open", tr("&Open files…"), QKeySequence::Open, file);
    open_folder = make("layers", tr("Open &folder…"), with(Qt::CTRL | Qt::SHIFT, Qt::Key_O), file);
    open_node = make(nullptr, tr("Open from a &node…"), {}, file);
    reload = make(nullptr, tr("Re&load"), QKeySequence(Qt::Key_F5), range);
    export_report = make("report", tr("Export &report…"), with(Qt::CTRL, Qt::Key_R), file);
    export_runs = make("report", tr("Export report of selected r&uns…"), {}, file);
    export_view = make("export", tr("Export &view…"), with(Qt::CTRL | Qt::SHIFT, Qt::Key_E), file);
    close_range = make(nullptr, tr("&Close range"), with(Qt::CTRL | Qt::SHIFT, Qt::Key_W), file);
    settings = make("settings", tr("&Settings…"), with(Qt::CTRL, Qt::Key_Comma), file);
    settings->setMenuRole(QAction::PreferencesRole);
    quit = make(nullptr, tr("&Quit"), with(Qt::CTRL, Qt::Key_Q), file);
    quit->setMenuRole(QAction::QuitRole);

    undo = stack.createUndoAction(window, tr("&Undo"));
    redo = stack.createRedoAction(window, tr("&Redo"));
    for (QAction* action : {undo, redo}) {
        action->setProperty("shortcutGroup", edit);
        window->addAction(action);
    }
    // What is undone names keys and runs; QUndoStack takes an & of theirs for the mark of a key.
    const auto say = [&stack](QAction* action, const QString& verb,
                              QString (QUndoStack::*what)() const) {
        const QString words = (stack.*what)();
        action->setText(words.isEmpty() ? verb : verb + QLatin1Char(' ') + literal_title(words));
    };
    QObject::connect(&stack, &QUndoStack::undoTextChanged, undo,
                     [this, say] { say(undo, tr("&Undo"), &QUndoStack::undoText); });
    QObject::connect(&stack, &QUndoStack::redoTextChanged, redo,
                     [this, say] { say(redo, tr("&Redo"), &QUndoStack::redoText); });
    undo->setIcon(icon("undo"));
    undo->setShortcut(QKeySequence::Undo);
    redo->setIcon(icon("redo"));
    redo->setShortcuts({with(Qt::CTRL | Qt::SHIFT, Qt::Key_Z), with(Qt::CTRL, Qt::Key_Y)});
    copy = make("copy", tr("&Copy"), QKeySequence::Copy, edit);
    find = make("search", tr("&Find a transaction, key or block"), QKeySequence::Find, edit);

    themes = new QActionGroup(window);
    theme_system = make(nullptr, tr("Follow the &system"), {}, view);
    theme_dark = make(nullptr, tr("&Dark"), {}, view);
    theme_light = make(nullptr, tr("&Light"), {}, view);
    for (QAction* action : {theme_system, theme_dark, theme_light}) {
        action->setCheckable(true);
        themes->addAction(action);
    }
    reset_layout = make(nullptr, tr("&Reset layout"), with(Qt::CTRL | Qt::SHIFT, Qt::Key_R), view);
    save_layout = make(nullptr, tr("&Save layout as…"), {}, view);
    layouts = new QActionGroup(window);
    layouts->setExclusionPolicy(QActionGroup::ExclusionPolicy::ExclusiveOptional);
    layout_analyse =
        make(nullptr, tr("Layout: &Analyse"), with(Qt::CTRL | Qt::ALT, Qt::Key_1), view);
    layout_run = make(nullptr, tr("Layout: &Run"), with(Qt::CTRL | Qt::ALT, Qt::Key_2), view);
    layout_compare =
        make(nullptr, tr("Layout: &Compare"), with(Qt::CTRL | Qt::ALT, Qt::Key_3), view);
    layout_tune = make(nullptr, tr("Layout: &Tune"), with(Qt::CTRL | Qt::ALT, Qt::Key_4), view);
    for (const auto& [action, name] : {std::pair{layout_analyse, "Analyse"},
                                       {layout_run, "Run"},
                                       {layout_compare, "Compare"},
                                       {layout_tune, "Tune"}}) {
        action->setCheckable(true);
        action->setData(to_qt(name));
        layouts->addAction(action);
    }
    full_screen = make(nullptr, tr("&Full screen"), QKeySequence(Qt::Key_F11), view);
    full_screen->setCheckable(true);

    chains = new QActionGroup(window);
    chain_auto = make(nullptr, tr("&Detect automatically"), {}, range);
    chain_bitcoin = make(nullptr, tr("&Bitcoin: outpoints, not executed"), {}, range);
    chain_alkanes = make(nullptr, tr("&Alkanes: messages, executed"), {}, range);
    chain_trace = make(nullptr, tr("Imported &traces"), {}, range);
    for (const auto& [action, name] : {std::pair{chain_auto, "auto"},
                                       {chain_bitcoin, "bitcoin"},
                                       {chain_alkanes, "alkanes"},
                                       {chain_trace, "trace"}}) {
        action->setCheckable(true);
        action->setData(to_qt(name));
        chains->addAction(action);
    }
    rules = new QActionGroup(window);
    rules_released =
        make(nullptr, tr("&Released (%1)").arg(follows(RuleLine::released)), {}, range);
    rules_develop =
        make(nullptr, tr("&Development branch (%1)").arg(follows(RuleLine::develop)), {}, range);
    for (const auto& [action, line] :
         {std::pair{rules_released, RuleLine::released}, {rules_develop, RuleLine::develop}}) {
        action->setCheckable(true);
        action->setData(to_qt(name_of(line)));
        action->setStatusTip(
            tr("Generated ranges of the network \"blockloom\" have their own rules"));
        rules->addAction(action);
    }
    fuel = new QActionGroup(window);
    fuel_usual = make(nullptr, tr("&Default for the network"), {}, range);
    fuel_exact = make(nullptr, tr("&Exact, as metered by wasmi 0.37.2"), {}, range);
    fuel_counted = make(nullptr, tr("&Counted by instructions"), {}, range);
    for (const auto& [action, name] :
         {std::pair{fuel_usual, ""}, {fuel_exact, "exact"}, {fuel_counted, "counted"}}) {
        action->setCheckable(true);
        action->setData(to_qt(name));
        action->setStatusTip(tr("Default: exact; counted on the generated network \"blockloom\" "
                                "and in a workspace whose blocks were executed with counted fuel"));
        fuel->addAction(action);
    }
    workspace = make(nullptr, tr("Execute on the state of a &workspace…"), {}, range);
    state_database = make(nullptr, tr("From an indexer's &database…"), {}, range);
    state_node = make(nullptr, tr("From an indexer's &JSON-RPC…"), {}, range);
    state_bundle = make(nullptr, tr("From a state &bundle…"), {}, range);
    state_none = make(nullptr, tr("&None"), {}, range);
    check = make(nullptr, tr("&Check: compare with the node"),
                 with(Qt::CTRL | Qt::SHIFT, Qt::Key_K), range);
    show_check = make(nullptr, tr("S&how the last check"), {}, range);
    follow = make(nullptr, tr("&Follow the tip of the node"), {}, range);
    follow->setCheckable(true);

    next_block = make(nullptr, tr("&Next block"), with(Qt::CTRL, Qt::Key_Down), range);
    previous_block = make(nullptr, tr("&Previous block"), with(Qt::CTRL, Qt::Key_Up), range);
    run = make("run", tr("&Run: replay the open range"), with(Qt::CTRL, Qt::Key_Return), range);
    use_tuned =
        make("check", tr("Use the &tuned settings"), with(Qt::CTRL | Qt::ALT, Qt::Key_T), range);
    use_tuned->setEnabled(false);
    pause = make("pause", tr("&Pause or resume the run"), QKeySequence(Qt::Key_F9), range);
    pause->setEnabled(false);
    cancel =
        make("cancel", tr("&Cancel the work in progress"), with(Qt::CTRL, Qt::Key_Period), range);
    cancel->setEnabled(false);

    models = new QActionGroup(window);
    single_version = make(nullptr, tr("&Single-version"), with(Qt::CTRL, Qt::Key_1), analyse);
    multi_version = make(nullptr, tr("&Multi-version"), with(Qt::CTRL, Qt::Key_2), analyse);
    costs = new QActionGroup(window);
    unit_cost = make(nullptr, tr("&Unit cost"), {}, analyse);
    own_cost = make(nullptr, tr("The &trace's own costs"), {}, analyse);
    for (QAction* action : {single_version, multi_version}) models->addAction(action);
    for (QAction* action : {unit_cost, own_cost}) costs->addAction(action);
    for (QAction* action : {single_version, multi_version, unit_cost, own_cost})
        action->setCheckable(true);
    relax_key = make(nullptr, tr("&Relax the selected key"), with(Qt::CTRL, Qt::Key_K), analyse);
    policy = make("filter", tr("&Key policy…"), with(Qt::CTRL, Qt::Key_P), analyse);
    clear_policy = make(nullptr, tr("&Clear key policy"), {}, analyse);

    back = make("back", tr("&Previous selection"), with(Qt::ALT | Qt::SHIFT, Qt::Key_Left), edit);
    forward =
        make("forward", tr("Ne&xt selection"), with(Qt::ALT | Qt::SHIFT, Qt::Key_Right), edit);
    clear_selection =
        make(nullptr, tr("Clear the &selection"), with(Qt::CTRL | Qt::SHIFT, Qt::Key_A), edit);

    next_panel = make(nullptr, tr("&Next panel"), QKeySequence(Qt::Key_F6), panels);
    previous_panel = make(nullptr, tr("&Previous panel"), with(Qt::SHIFT, Qt::Key_F6), panels);

    palette = make("search", tr("&Commands…"), with(Qt::CTRL | Qt::SHIFT, Qt::Key_P), help);
    guide = make("help", tr("&Guide"), with(Qt::CTRL, Qt::Key_F1), help);
    shortcuts = make("keyboard", tr("&Shortcuts"), QKeySequence(QStringLiteral("?")), help);
    about = make("info", tr("&About Blockloom"), {}, help);
    about->setMenuRole(QAction::AboutRole);

    // In a menu these get their subject from the menu's title.
    for (const auto& [action, name] : {std::pair{theme_system, tr("Theme: follow the system")},
                                       {theme_dark, tr("Theme: dark")},
                                       {theme_light, tr("Theme: light")},
                                       {chain_auto, tr("Read as: detect automatically")},
                                       {chain_bitcoin, tr("Read as: Bitcoin, not executed")},
                                       {chain_alkanes, tr("Read as: Alkanes, executed")},
                                       {chain_trace, tr("Read as: imported traces")},
                                       {rules_released, tr("Rules: released")},
                                       {rules_develop, tr("Rules: development branch")},
                                       {state_database, tr("Initial state: indexer's database…")},
                                       {state_node, tr("Initial state: indexer's JSON-RPC…")},
                                       {state_bundle, tr("Initial state: state bundle…")},
                                       {state_none, tr("Initial state: none")},
                                       {fuel_usual, tr("Fuel: default for the network")},
                                       {fuel_exact, tr("Fuel: exact")},
                                       {fuel_counted, tr("Fuel: counted")},
                                       {single_version, tr("Conflict model: single-version")},
                                       {multi_version, tr("Conflict model: multi-version")},
                                       {unit_cost, tr("Cost: unit")},
                                       {own_cost, tr("Cost: the trace's own")}})
        action->setProperty("commandName", name);
}

QString command_name(const QAction& action) {
    const QString name = action.property("commandName").toString();
    return name.isEmpty() ? action.text().remove(QLatin1Char('&')) : name;
}

QList<ShortcutRow> shortcut_rows(const QMainWindow& window) {
    QList<ShortcutRow> rows;
    QStringList seen; // each panel has the same keys: listed once
    for (const QAction* action : window.findChildren<QAction*>()) {
        const QString group = action->property("shortcutGroup").toString();
        if (group.isEmpty() || action->shortcuts().isEmpty()) continue;
        const QString keys =
            QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText);
        const QString mark = group + keys;
        if (seen.contains(mark)) continue;
        seen.append(mark);
        rows.append({group, command_name(*action), keys});
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [](const ShortcutRow& a, const ShortcutRow& b) { return a.group < b.group; });
    return rows;
}

} // namespace blockloom::ui
