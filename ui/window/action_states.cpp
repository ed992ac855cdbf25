#include "window/action_states.h"

#include "session/node_checks.h"
#include "session/runs.h"
#include "session/session.h"
#include "session/tip_watch.h"
#include "session/tunings.h"
#include "window/window_actions.h"

#include <QActionGroup>

namespace blockloom::ui {

ActionStates::ActionStates(WindowActions& actions, Session* session, Runs* runs, Tunings* tunings,
                           NodeChecks* checks, TipWatch* tip, QObject* parent)
    : QObject(parent), actions_(actions), session_(session), runs_(runs), tunings_(tunings),
      checks_(checks), tip_(tip) {
    connect(session_, &Session::busyChanged, this, [this](bool busy) {
        actions_.cancel->setEnabled(busy);
        if (!busy) showChoices(); // also where another choice failed or was cancelled
    });
    for (const auto changed :
         {&Session::optionsChanged, &Session::blockChanged, &Session::selectionChanged})
        connect(session_, changed, this, &ActionStates::showRules);
    connect(tip_, &TipWatch::changed, this, &ActionStates::showFollowing);
    connect(checks_, &NodeChecks::changed, this, &ActionStates::showChecks);
    connect(runs_, &Runs::liveChanged, this,
            [this] { actions_.pause->setEnabled(runs_->running()); });
}

void ActionStates::show(const QString& layout) {
    const bool there = session_->range() != nullptr;
    const WindowActions& a = actions_;
    for (QAction* action :
         {a.close_range,     a.reload,         a.chain_auto,     a.chain_bitcoin,  a.chain_alkanes,
          a.chain_trace,     a.workspace,      a.state_database, a.state_node,     a.state_bundle,
          a.rules_released,  a.rules_develop,  a.fuel_usual,     a.fuel_exact,     a.fuel_counted,
          a.export_report,   a.export_view,    a.copy,           a.find,           a.reset_layout,
          a.save_layout,     a.layout_analyse, a.layout_run,     a.layout_compare, a.layout_tune,
          a.next_block,      a.previous_block, a.single_version, a.multi_version,  a.policy,
          a.clear_selection, a.next_panel,     a.previous_panel})
        action->setEnabled(there);
    a.use_tuned->setEnabled(tunings_->kept() && !tunings_->usesKept());
    a.use_tuned->setToolTip(
        tunings_->kept() ? tr("Settings kept for %1 and this code: %2")
                               .arg(tunings_->keptDevice(), tunings_->words(*tunings_->kept()))
                         : tr("No tuned settings are kept for this device and code"));
    a.export_runs->setEnabled(there && !runs_->kept().empty());
    a.run->setEnabled(!session_->busy() && runs_->whyNot().isEmpty());
    a.state_none->setEnabled(there && session_->choices().state.given());
    showChecks();
    showFollowing();
    for (QAction* preset : a.layouts->actions())
        preset->setChecked(preset->data().toString() == layout);
}

void ActionStates::showChecks() {
    const QString why_not = checks_->whyNot();
    actions_.check->setEnabled(!session_->busy() && why_not.isEmpty());
    actions_.check->setToolTip(
        why_not.isEmpty() ? tr("Compare the replay with what the node recorded of these blocks")
                          : why_not);
    actions_.show_check->setEnabled(checks_->found() != nullptr);
}

void ActionStates::showFollowing() {
    const QString why_not = tip_->whyNot();
    actions_.follow->setEnabled(why_not.isEmpty());
    actions_.follow->setChecked(tip_->following());
    actions_.follow->setToolTip(why_not.isEmpty() ? tr("Add the node's new blocks as they arrive")
                                                  : why_not);
}

void ActionStates::showRules() {
    const schedule::AnalysisOptions& options = session_->options();
    const bool multi = options.model == conflict::ConflictModel::multi_version;
    (multi ? actions_.multi_version : actions_.single_version)->setChecked(true);
    (options.use_cost ? actions_.own_cost : actions_.unit_cost)->setChecked(true);
    actions_.clear_policy->setEnabled(!options.policy.leaves_all());
    const auto block = session_->currentBlock();
    actions_.own_cost->setEnabled(block && !block->trace->cost.empty());
    const auto key = session_->selectedKey();
    actions_.relax_key->setEnabled(key && block && block->analysis.index->trace->keys);
    actions_.back->setEnabled(session_->canGoBack());
    actions_.forward->setEnabled(session_->canGoForward());
}

void ActionStates::showChoices() {
    for (QAction* action : actions_.chains->actions())
        action->setChecked(action->data().toString() == session_->choices().chain);
    for (QAction* action : actions_.rules->actions())
        action->setChecked(action->data().toString() == session_->choices().rules);
    for (QAction* action : actions_.fuel->actions())
        action->setChecked(action->data().toString() == session_->choices().fuel);
}

} // namespace blockloom::ui
