#include "session/runs.h"

#include "execute/live_run.h"
#include "runs/run_verification.h"
#include "session/run_job.h"
#include "session/run_traces.h"
#include "session/session.h"
#include "store/kept_folders.h"
#include "text/numbers.h"
#include "text/to_qt.h"

#include <algorithm>
#include <utility>

namespace blockloom::ui {

struct Runs::State {
    Session* session = nullptr;
    QString newest;                      ///< a run that was just kept: compared once it is listed
    QString last_made;                   ///< the same, for good
    QString unverified;                  ///< a run whose verification was cancelled
    std::shared_ptr<RunOutcome> outcome; ///< of the run in progress
    std::function<void()> verifying;
    bool ended = false; ///< the last run has reported its end; else it was cancelled
    std::shared_ptr<execute::LiveRun> live;
    QStringList sources; ///< of the range that the runs were made and chosen for
};

Runs::Runs(Session* session, QObject* parent)
    : QObject(parent), choices_(std::make_unique<RunChoices>()),
      list_(std::make_unique<KeptRunList>(session)),
      compared_(std::make_unique<ComparedRuns>(session, list_.get())),
      state_(std::make_unique<State>()) {
    state_->session = session;
    connect(choices_.get(), &RunChoices::backendsChanged, this, &Runs::backendsChanged);
    connect(choices_.get(), &RunChoices::changed, this, &Runs::choiceChanged);
    connect(compared_.get(), &ComparedRuns::changed, this, &Runs::comparedChanged);
    connect(compared_.get(), &ComparedRuns::compared, this, &Runs::comparisonChanged);
    connect(list_.get(), &KeptRunList::changed, this, &Runs::listRead);
    connect(list_.get(), &KeptRunList::changedOutside, this, [this] {
        // A replay of this window is keeping its own run, which is read when it is there.
        if (!reading() && !state_->session->busy()) list_->refresh();
    });
    connect(session, &Session::rangeChanged, this, &Runs::leaveOldRange);
    connect(session, &Session::busyChanged, this, [this](bool busy) {
        if (busy || state_->live == nullptr) return;
        if (!state_->ended) state_->live.reset(); // cancelled: its thread ends on its own
        Q_EMIT liveChanged();
    });
    connect(session, &Session::cancelled, this, [this] {
        const auto outcome = std::exchange(state_->outcome, nullptr);
        if (outcome == nullptr || outcome->id().empty()) return;
        state_->newest = state_->last_made = state_->unverified = to_qt(outcome->id());
        reload();
    });
}

Runs::~Runs() = default;

/// Runs of the previous range do not belong to the new one.
void Runs::leaveOldRange() {
    State& s = *state_;
    if (std::exchange(s.sources, s.session->sources()) != s.session->sources()) {
        compared_->clear();
        s.newest.clear();
        s.last_made.clear();
        if (s.live && s.live->latest()->state == execute::LiveState::finished) {
            s.live.reset();
            Q_EMIT liveChanged();
        }
    }
    compared_->update(); // until the list is read again, nothing of the old range is shown
    reload();
}

void Runs::listRead() {
    State& s = *state_;
    compared_->chooseFromList(s.newest);
    Q_EMIT keptChanged();
    compared_->update();
    const runs::KeptRun* made = find(std::exchange(s.newest, {}));
    if (made == nullptr) return;
    Q_EMIT finished((std::exchange(s.unverified, {}) == to_qt(made->id)
                         ? tr("Run kept, not verified: %1, state digest %2")
                         : tr("Run kept: %1, state digest %2"))
                        .arg(time_text(made->wall), made->state_digest.empty()
                                                        ? tr("not computed")
                                                        : shortened(to_qt(made->state_digest))));
}

bool Runs::reading() const {
    return list_->busy() || compared_->comparing();
}

QString Runs::whyNot() const {
    const auto range = state_->session->range();
    if (!range) return tr("Open a range first");
    if (range->totals.executed != 0) return {};
    const bool imported = std::all_of(range->blocks.begin(), range->blocks.end(),
                                      [](const auto& record) { return record->block == nullptr; });
    return imported ? tr("Imported traces cannot be replayed: they hold no messages to execute")
                    : tr("Plain Bitcoin blocks cannot be replayed. Use Range ▸ Read as ▸ Alkanes");
}

QString Runs::whyNotStart() const {
    if (const QString why = whyNot(); !why.isEmpty()) return why;
    return running() ? tr("A run is in progress") : QString();
}

void Runs::beforeVerification(std::function<void()> act) {
    state_->verifying = std::move(act);
}

RunOrder Runs::nextOrder() const {
    RunOrder order;
    order.range = state_->session->rangeOptions();
    order.keep_in = folder().toStdString();
    choices_->apply(order);
    return order;
}

/// Whether a run read the state before it at the place that is chosen now.
bool Runs::stateIsChosen(const runs::KeptRun& run) const {
    const StateChoice& chosen = state_->session->choices().state;
    return chosen.given() && to_qt(run.state).startsWith(to_qt(source_of(chosen).place));
}

void Runs::start() {
    State& s = *state_;
    if (!whyNot().isEmpty()) return;
    RunOrder order = nextOrder();
    order.verifying = s.verifying;
    s.outcome = order.outcome;
    s.live.reset();
    s.ended = false;
    s.session->perform(
        [this, order](const BackgroundWork::Delivery& deliver, ProgressSink& sink,
                      const std::stop_token& stop) {
            const RunLog log = [this, &deliver](const QString& level, const QString& words) {
                deliver([this, level, words] { Q_EMIT state_->session->logged(level, words); });
            };
            RunOrder watched = order;
            watched.began = [this, &deliver](const std::shared_ptr<execute::LiveRun>& live) {
                deliver([this, live] { follow(live); });
            };
            auto run = perform_run(watched, log, sink, stop);
            deliver([this, run = std::move(run), kept_in = order.keep_in.string()] {
                state_->ended = true;
                const auto outcome = std::exchange(state_->outcome, nullptr);
                if (!run) {
                    state_->live.reset();
                    Q_EMIT liveChanged();
                    if (outcome && !outcome->id().empty()) { // but not verified
                        state_->newest = state_->last_made = state_->unverified =
                            to_qt(outcome->id());
                        reload();
                    }
                    if (run.error().code == ErrorCode::cancelled) return;
                    Q_EMIT state_->session->logged(QStringLiteral("error"),
                                                   to_qt(run.error().message));
                    Q_EMIT state_->session->failed(to_qt(run.error().message));
                    return;
                }
                Q_EMIT state_->session->logged(
                    QStringLiteral("info"), tr("Run %1 kept in %2").arg(to_qt(run->id), folder()));
                traces()->finished(kept_in, run->id, run->trace);
                state_->newest = state_->last_made = to_qt(run->id);
                Q_EMIT liveChanged(); // before it is listed: who watched it then waits for that
                if (!run->mismatch.isEmpty()) {
                    const QString words = tr("Run %1: mismatch with the serial reference: %2")
                                              .arg(to_qt(run->id), run->mismatch);
                    Q_EMIT state_->session->logged(QStringLiteral("error"), words);
                    Q_EMIT state_->session->failed(words);
                }
                reload();
            });
        },
        tr("Run"),
        [outcome = order.outcome, verify = order.verify] {
            if (outcome->cancel()) return tr("it was not kept");
            return verify ? tr("the run is kept, not verified") : tr("the run is kept");
        });
}

QString Runs::whyNotVerify(const QString& id) const {
    const runs::KeptRun* run = find(id);
    if (run == nullptr) return tr("Select a run");
    if (state_->session->busy()) return tr("Busy: wait for the operation in progress to finish");
    if (!run->state.empty() && !stateIsChosen(*run))
        return tr("The state before its first block was read from %1: choose it again, Range ▸ "
                  "Initial state")
            .arg(to_qt(run->state));
    return to_qt(runs::why_not_verifiable(*run));
}

void Runs::verify(const QString& id) {
    if (!whyNotVerify(id).isEmpty()) return;
    Session* const session = state_->session;
    session->perform(
        [this, session, run = *find(id), where = folder().toStdString(),
         state = source_of(session->choices().state), nodes = session->rangeOptions().nodes,
         contracts = session->rangeOptions().contracts](const BackgroundWork::Delivery& deliver,
                                                        ProgressSink& sink,
                                                        const std::stop_token& stop) {
            runs::VerificationPlan plan;
            plan.workspace = run.workspace;
            if (!run.state.empty()) plan.state = state;
            plan.nodes = nodes;
            plan.version = BLOCKLOOM_VERSION;
            plan.contracts = contracts;
            const auto made = runs::verify_run(run, plan, sink, stop);
            Status kept = made ? Status() : Status(made.error());
            if (made && !stop.stop_requested()) {
                const auto folder = store::open_runs(where);
                kept = folder ? runs::set_verification(*folder, run.id, *made)
                              : Status(folder.error());
            }
            deliver([this, session, made, kept, run] {
                if (!kept) {
                    if (kept.error().code == ErrorCode::cancelled) return;
                    const QString why = tr("Run %1 was not verified: %2")
                                            .arg(to_qt(run.id), to_qt(kept.error().message));
                    Q_EMIT session->logged(QStringLiteral("error"), why);
                    Q_EMIT session->failed(why);
                    return;
                }
                runs::KeptRun now = run;
                now.verified = made->equal();
                now.verification = *made;
                const QString words =
                    tr("Run %1: %2").arg(to_qt(run.id), to_qt(runs::verification_words(now)));
                Q_EMIT session->logged(
                    made->equal() ? QStringLiteral("info") : QStringLiteral("error"), words);
                if (!made->equal()) Q_EMIT session->failed(words);
                reload();
            });
        },
        tr("Verification"), tr("the run stays as it was"));
}

std::shared_ptr<execute::LiveRun> Runs::live() const {
    return state_->live;
}

bool Runs::running() const {
    return state_->live != nullptr && state_->live->latest()->state != execute::LiveState::finished;
}

void Runs::follow(std::shared_ptr<execute::LiveRun> live) {
    state_->live = std::move(live);
    Q_EMIT liveChanged();
}

bool Runs::pauseAsked() const {
    return running() && state_->live->gate().asked();
}

void Runs::setPaused(bool paused) {
    if (!running() || paused == pauseAsked()) return;
    if (paused)
        state_->live->gate().pause();
    else
        state_->live->gate().resume();
    Q_EMIT state_->session->logged(QStringLiteral("info"),
                                   paused ? tr("The run is paused") : tr("The run continues"));
    Q_EMIT liveChanged();
}

const runs::KeptRun* Runs::lastMade() const {
    return find(state_->last_made);
}

} // namespace blockloom::ui
