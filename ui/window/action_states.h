// Which commands of the window are enabled, and which of several choices is checked.
#pragma once

#include <QObject>

namespace blockloom::ui {

class NodeChecks;
class Runs;
class Session;
class TipWatch;
class Tunings;
class WindowActions;

/// Follows the session, the runs and the tunings; the window calls it for its own changes.
class ActionStates : public QObject {
    Q_OBJECT

public:
    ActionStates(WindowActions& actions, Session* session, Runs* runs, Tunings* tunings,
                 NodeChecks* checks, TipWatch* tip, QObject* parent = nullptr);

    void show(const QString& layout); ///< updates everything; `layout`: name of the current layout
    void showRules();                 ///< updates conflict model, cost, policy, selection, history
    void showChoices();               ///< updates how sources are read
    void showFollowing();             ///< updates whether a node's tip is followed
    void showChecks();                ///< updates what can be compared with a node

private:
    WindowActions& actions_;
    Session* session_;
    Runs* runs_;
    Tunings* tunings_;
    NodeChecks* checks_;
    TipWatch* tip_;
};

} // namespace blockloom::ui
