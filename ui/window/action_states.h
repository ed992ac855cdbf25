// Which commands of the window can be used now, and which of several choices is checked.
#pragma once

#include <QObject>

namespace blockloom::ui {

class Runs;
class Session;
class Tunings;
class WindowActions;

/// Follows the session, the runs and the tunings; the window asks for more where it changes itself.
class ActionStates : public QObject {
    Q_OBJECT

public:
    ActionStates(WindowActions& actions, Session* session, Runs* runs, Tunings* tunings,
                 QObject* parent = nullptr);

    void show(const QString& layout); ///< all of them; `layout`: the name of the current one
    void showRules();                 ///< conflict model, cost, policy, selection, history
    void showChoices();               ///< how the bytes are read

private:
    WindowActions& actions_;
    Session* session_;
    Runs* runs_;
    Tunings* tunings_;
};

} // namespace blockloom::ui
