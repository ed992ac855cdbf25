#include "window/session_commands.h"

#include "session/rules.h"
#include "session/session.h"
#include "text/to_qt.h"
#include "window/file_dialogs.h"
#include "window/policy_dialog.h"
#include "window/state_dialog.h"
#include "window/window_actions.h"

#include <QActionGroup>

namespace blockloom::ui {
namespace {

void relax_selected_key(Session& session) {
    const auto block = session.currentBlock();
    const auto key = session.selectedKey();
    if (!block || !key) return;
    const std::string name = block->analysis.index->trace->keys->printable(*key);
    session.relaxKey(to_qt(name), !is_relaxed(session.options().policy, name));
}

void ask_policy(Session& session, QWidget& window) {
    auto* dialog = new PolicyDialog(session.options().policy, &window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(dialog, &QDialog::accepted, &session, [&session, dialog] {
        session.setPolicy(dialog->policy(), QObject::tr("change the key policy"));
    });
    dialog->open();
}

void ask_state(Session& session, QWidget& window, StateDialog::Place place,
               const std::function<void(const OpenChoices&)>& open) {
    auto* dialog = new StateDialog(place, session.choices().state, &window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(dialog, &QDialog::accepted, &session, [&session, dialog, open] {
        OpenChoices choices = session.choices();
        choices.chain = QStringLiteral("alkanes");
        choices.state = dialog->choice();
        open(choices);
    });
    dialog->open();
}

} // namespace

void connect_session_commands(const WindowActions& a, Session& session, QWidget& window,
                              const std::function<void(const OpenChoices&)>& open) {
    Session* const s = &session;
    const auto on = [&window](QAction* action, auto act) {
        QObject::connect(action, &QAction::triggered, &window, act);
    };
    const auto read_as = [&](QActionGroup* group, QString OpenChoices::*choice) {
        QObject::connect(group, &QActionGroup::triggered, &window,
                         [s, open, choice](const QAction* action) {
                             OpenChoices choices = s->choices();
                             choices.*choice = action->data().toString();
                             if (choices != s->choices()) open(choices);
                         });
    };
    read_as(a.chains, &OpenChoices::chain);
    read_as(a.rules, &OpenChoices::rules);
    read_as(a.fuel, &OpenChoices::fuel);
    on(a.reload, [s, open] { open(s->choices()); });
    on(a.workspace, [&window, open] {
        ask_for_workspace(window, [open](const QString& folder) {
            open({QStringLiteral("alkanes"), folder});
        });
    });
    const auto ask = [s, &window, open](StateDialog::Place place) {
        return [s, &window, open, place] { ask_state(*s, window, place, open); };
    };
    on(a.state_database, ask(StateDialog::Place::database));
    on(a.state_node, ask(StateDialog::Place::node));
    on(a.state_bundle, ask(StateDialog::Place::bundle));
    on(a.state_none, [s, open] {
        OpenChoices choices = s->choices();
        choices.state = {};
        // Without a state blocks can perhaps not be executed.
        if (choices.chain == QLatin1String("alkanes")) choices.chain = OpenChoices().chain;
        open(choices);
    });
    on(a.next_block, [s] { s->setCurrentRow(s->currentRow() + 1); });
    on(a.previous_block, [s] { s->setCurrentRow(s->currentRow() - 1); });
    on(a.cancel, [s] { s->cancel(); });
    on(a.single_version, [s] { s->setModel(conflict::ConflictModel::single_version); });
    on(a.multi_version, [s] { s->setModel(conflict::ConflictModel::multi_version); });
    on(a.unit_cost, [s] { s->setUseCost(false); });
    on(a.own_cost, [s] { s->setUseCost(true); });
    on(a.relax_key, [s] { relax_selected_key(*s); });
    on(a.policy, [s, &window] { ask_policy(*s, window); });
    on(a.clear_policy, [s] { s->setPolicy({}, QObject::tr("clear the key policy")); });
    on(a.back, [s] { s->goBack(); });
    on(a.forward, [s] { s->goForward(); });
    on(a.clear_selection, [s] {
        s->selectTask(std::nullopt);
        s->selectKey(std::nullopt);
    });
}

} // namespace blockloom::ui
