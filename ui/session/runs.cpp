#include "session/runs.h"

#include "compute/settings.h"
#include "execute/live_run.h"
#include "runs/kept_runs.h"
#include "runs/run_notes.h"
#include "runs/run_verification.h"
#include "session/backends.h"
#include "session/background_work.h"
#include "session/run_edits.h"
#include "session/run_job.h"
#include "session/run_traces.h"
#include "session/session.h"
#include "session/workspace_watch.h"
#include "store/kept_folders.h"
#include "store/location.h"
#include "text/numbers.h"
#include "text/to_qt.h"

#include <algorithm>
#include <array>
#include <thread>
#include <utility>

namespace blockloom::ui {
namespace {

constexpr std::size_t first_runs = 200, older_runs = 5;

constexpr std::array run_strategies{execute::Strategy::serial, execute::Strategy::levels,
                                    execute::Strategy::speculative};

execute::Strategy strategy_named(const QString& name) {
    for (const execute::Strategy strategy : run_strategies)
        if (name == QLatin1StringView(name_of(strategy))) return strategy;
    return execute::Strategy::serial;
}

} // namespace

struct Runs::State {
    explicit State(Runs* owner) : watch([owner] { return owner->folder(); }) {}

    Session* session = nullptr;
    WorkspaceWatch watch;
    BackgroundWork reading, comparing;
    RunEdits edits;
    std::shared_ptr<RunTraces> traces = std::make_shared<RunTraces>();
    std::shared_ptr<const runs::RunComparison> comparison;
    std::vector<Backend> backends{{QStringLiteral("auto"), Runs::tr("Auto"), {}, {}},
                                  {QStringLiteral("cpu"), Runs::tr("CPU"), {}, {}}};
    std::vector<StrategyChoice> strategies;
    QString backend = QStringLiteral("auto"), strategy = QStringLiteral("serial");
    quint32 workers = std::max(std::thread::hardware_concurrency(), 1U);
    unsigned repetitions = 1;
    bool verifies = false;
    runs::DeviceOpener open = compute::open_provider;
    RunLimits limits;
    QString own_folder;                  ///< instead of the user's own workspace
    QString newest;                      ///< a run that was just kept: compared once it is listed
    QString last_made;                   ///< the same, for good
    QString unverified;                  ///< a run whose verification was cancelled
    std::shared_ptr<RunOutcome> outcome; ///< of the run in progress
    std::function<void()> verifying;
    bool ended = false; ///< the last run has reported its end; else it was cancelled
    std::shared_ptr<execute::LiveRun> live;
    std::vector<runs::KeptRun> kept;
    std::size_t most = first_runs, in_all = 0; ///< runs that are read, that are kept
    std::array<QString, 2> compared;           ///< ids of A and B
    QStringList sources;                       ///< of the range that they were chosen for

    [[nodiscard]] const runs::KeptRun* find(const QString& id) const {
        const std::string wanted = id.toStdString();
        const auto at = std::find_if(kept.begin(), kept.end(),
                                     [&](const auto& run) { return run.id == wanted; });
        return id.isEmpty() || at == kept.end() ? nullptr : &*at;
    }

    /// A device runs many at once or nothing: block order is the CPU's.
    void fit_strategy() {
        const bool device =
            backend != QLatin1StringView("auto") && backend != QLatin1StringView("cpu");
        const QString serial = QLatin1StringView(name_of(execute::Strategy::serial));
        for (StrategyChoice& choice : strategies)
            if (choice.name == serial)
                choice.why = device ? Runs::tr("the serial strategy runs on the CPU only; a device "
                                               "runs many messages at once")
                                    : QString();
        if (device && strategy == serial)
            strategy = QLatin1StringView(name_of(execute::Strategy::speculative));
    }

    /// The run replayed blocks of the open range; any run, where none of its blocks can be
    /// replayed.
    [[nodiscard]] bool belongs(const runs::KeptRun& run) const {
        const auto range = session->range();
        if (!range || range->totals.executed == 0) return true;
        return std::any_of(range->blocks.begin(), range->blocks.end(), [&run](const auto& record) {
            if (!record->replayed) return false;
            const std::string hash = to_reversed_hex(record->replayed->execution->hash);
            return std::any_of(run.blocks.begin(), run.blocks.end(),
                               [&hash](const auto& block) { return block.hash == hash; });
        });
    }

    /// Runs of the previous range do not belong to the new one.
    void leave_old_range() {
        if (std::exchange(sources, session->sources()) == session->sources()) return;
        compared = {};
        newest.clear();
        last_made.clear();
        if (live && live->latest()->state == execute::LiveState::finished) live.reset();
    }

    /// A run just made takes the place of B, the first one that of A. Where nothing is chosen, the
    /// newest run is compared with the baseline of its speed-up, else with the previous run of the
    /// same blocks.
    void choose_compared() {
        if (find(newest) != nullptr) {
            compared[find(compared[0]) == nullptr ? 0 : 1] = newest;
            return;
        }
        if (find(compared[0]) != nullptr || find(compared[1]) != nullptr) return;
        const auto newest_here = std::find_if(kept.begin(), kept.end(),
                                              [this](const auto& run) { return belongs(run); });
        if (newest_here == kept.end()) return;
        const runs::KeptRun& last = *newest_here;
        const runs::KeptRun* other = runs::baseline_of(last, kept);
        for (auto at = newest_here + 1; at != kept.end() && (other == nullptr || other == &last);
             ++at)
            if (runs::same_inputs(*at, last)) other = &*at;
        if (other == &last) other = nullptr;
        compared = {to_qt(other == nullptr ? last.id : other->id),
                    other == nullptr ? QString() : to_qt(last.id)};
    }
};

Runs::Runs(Session* session, QObject* parent)
    : QObject(parent), state_(std::make_unique<State>(this)) {
    State& s = *state_;
    s.session = session;
    // What the controls show counts, so they begin with what is configured.
    if (const auto settings = compute::read_settings())
        s.limits.batch_min = settings->batch_min.value.value_or(s.limits.batch_min);
    s.strategies = {
        {QStringLiteral("serial"), tr("In block order, one message after another"), {}},
        {QStringLiteral("levels"), tr("Rounds follow the levels of known access sets"), {}},
        {QStringLiteral("speculative"),
         tr("All at once; transactions that read outdated values are re-executed"),
         {}}};
    connect(session, &Session::rangeChanged, this, [this] {
        const bool had = state_->live != nullptr;
        state_->leave_old_range();
        if (had && state_->live == nullptr) Q_EMIT liveChanged();
        Q_EMIT comparedChanged(); // until the list is read again, nothing of the old range is shown
        reload();
    });
    connect(&s.watch, &WorkspaceWatch::changed, this, [this] {
        // A replay of this window is keeping its own run, which is read when it is there.
        if (!reading() && !state_->session->busy()) read(Asked::by_watch);
    });
    connect(&s.edits, &RunEdits::done, this, &Runs::reload);
    connect(&s.edits, &RunEdits::failed, this, [this](const QString& message) {
        Q_EMIT state_->session->logged(QStringLiteral("error"), message);
        Q_EMIT state_->session->failed(message);
    });
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
    connect(this, &Runs::comparedChanged, this, &Runs::compare); // before any panel hears of it
}

Runs::~Runs() = default;

const std::vector<Backend>& Runs::backends() const {
    return state_->backends;
}

void Runs::setBackends(std::vector<Backend> backends) {
    State& s = *state_;
    s.backends = std::move(backends);
    const auto chosen = std::find_if(s.backends.begin(), s.backends.end(),
                                     [&](const Backend& b) { return b.key == s.backend; });
    if (chosen == s.backends.end() || !chosen->usable()) s.backend = QStringLiteral("auto");
    s.fit_strategy();
    Q_EMIT backendsChanged();
    Q_EMIT choiceChanged();
}

const std::vector<StrategyChoice>& Runs::strategies() const {
    return state_->strategies;
}

QString Runs::backend() const {
    return state_->backend;
}

QString Runs::strategy() const {
    return state_->strategy;
}

void Runs::setBackend(const QString& key) {
    State& s = *state_;
    for (const Backend& backend : s.backends)
        if (backend.key == key && backend.usable()) s.backend = key;
    s.fit_strategy();
    Q_EMIT choiceChanged(); // also where it was refused: controls show the value in use
}

void Runs::setStrategy(const QString& name) {
    State& s = *state_;
    for (const StrategyChoice& strategy : s.strategies)
        if (strategy.name == name && strategy.usable()) s.strategy = name;
    Q_EMIT choiceChanged();
}

quint32 Runs::workers() const {
    return state_->workers;
}

void Runs::setWorkers(quint32 count) {
    count = std::min(count, most_workers);
    if (count == 0 || count == state_->workers) return;
    state_->workers = count;
    Q_EMIT choiceChanged();
}

unsigned Runs::repetitions() const {
    return state_->repetitions;
}

void Runs::setRepetitions(unsigned count) {
    count = std::min(count, most_repetitions);
    if (count == 0 || count == state_->repetitions) return;
    state_->repetitions = count;
    Q_EMIT choiceChanged();
}

bool Runs::verifies() const {
    return state_->verifies;
}

void Runs::setVerifies(bool on) {
    if (on == state_->verifies) return;
    state_->verifies = on;
    Q_EMIT choiceChanged();
}

const RunLimits& Runs::limits() const {
    return state_->limits;
}

void Runs::setLimits(const RunLimits& wanted) {
    RunLimits limits = wanted;
    limits.batch_min = std::min(limits.batch_min, RunLimits::most);
    limits.batch_max = std::min(limits.batch_max, RunLimits::most);
    if (limits == state_->limits) return;
    state_->limits = limits;
    Q_EMIT choiceChanged();
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

void Runs::openDevicesBy(runs::DeviceOpener open) {
    state_->open = std::move(open);
}

void Runs::beforeVerification(std::function<void()> act) {
    state_->verifying = std::move(act);
}

void Runs::start() {
    State& s = *state_;
    if (!whyNot().isEmpty()) return;
    RunOrder order;
    order.range = s.session->rangeOptions();
    order.keep_in = folder().toStdString();
    order.backend = s.backend;
    order.how.strategy = strategy_named(s.strategy);
    order.how.workers = order.how.strategy == execute::Strategy::serial ? 1 : s.workers;
    order.how.batch_min = s.limits.batch_min;
    order.how.batch_max = s.limits.batch_max;
    order.slice = s.limits.slice;
    order.repetitions = s.repetitions;
    order.verify = s.verifies;
    order.open = s.open;
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
                state_->traces->finished(kept_in, run->id, run->trace);
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
    return to_qt(runs::why_not_verifiable(*run));
}

void Runs::verify(const QString& id) {
    if (!whyNotVerify(id).isEmpty()) return;
    Session* const session = state_->session;
    session->perform(
        [this, session, run = *find(id), where = folder().toStdString(),
         contracts = session->rangeOptions().contracts](const BackgroundWork::Delivery& deliver,
                                                        ProgressSink& sink,
                                                        const std::stop_token& stop) {
            runs::VerificationPlan plan;
            plan.workspace = run.workspace;
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
    return state_->find(state_->last_made);
}

void Runs::setFolder(const QString& workspace) {
    state_->own_folder = workspace;
    reload();
}

QString Runs::folder() const {
    const State& s = *state_;
    if (!s.session->choices().workspace.isEmpty()) return s.session->choices().workspace;
    if (!s.own_folder.isEmpty()) return s.own_folder;
    const auto own = store::default_folder();
    return own ? to_qt(own->string()) : QString();
}

void Runs::reload() {
    read(Asked::here);
}

void Runs::read(Asked asked) {
    const QString where = folder();
    if (where.isEmpty()) return;
    state_->reading.start([this, where, asked,
                           most = state_->most](const BackgroundWork::Delivery& deliver,
                                                ProgressSink&, const std::stop_token&) {
        std::vector<std::string> unreadable;
        std::size_t in_all = 0;
        const QString mark = workspace_mark(where); // what is written from here on is news
        auto kept = runs::kept_runs(where.toStdString(), most, unreadable, &in_all);
        deliver([this, asked, mark, kept = std::move(kept), unreadable, in_all] {
            State& s = *state_;
            // A writer has it open: the list stays, and the next refresh tries again.
            if (!kept && asked == Asked::by_watch) return;
            s.watch.knows(kept ? mark : QString());
            s.in_all = in_all;
            for (const std::string& line : unreadable)
                Q_EMIT s.session->logged(QStringLiteral("warning"), to_qt(line));
            if (kept)
                s.kept = *kept;
            else
                Q_EMIT s.session->logged(QStringLiteral("warning"), to_qt(kept.error().message));
            s.choose_compared();
            Q_EMIT keptChanged();
            Q_EMIT comparedChanged();
            const runs::KeptRun* made = s.find(std::exchange(s.newest, {}));
            if (made != nullptr)
                Q_EMIT finished(
                    (std::exchange(s.unverified, {}) == to_qt(made->id)
                         ? tr("Run kept, not verified: %1, state digest %2")
                         : tr("Run kept: %1, state digest %2"))
                        .arg(time_text(made->wall), made->state_digest.empty()
                                                        ? tr("not computed")
                                                        : shortened(to_qt(made->state_digest))));
        });
    });
}

bool Runs::reading() const {
    return state_->reading.running() || state_->comparing.running() || state_->edits.busy();
}

const std::vector<runs::KeptRun>& Runs::kept() const {
    return state_->kept;
}

std::shared_ptr<RunTraces> Runs::traces() const {
    return state_->traces;
}

std::size_t Runs::keptInAll() const {
    return state_->in_all;
}

void Runs::readOlder() {
    state_->most *= older_runs;
    reload();
}

const runs::KeptRun* Runs::baselineOf(const runs::KeptRun& run) const {
    return runs::baseline_of(run, state_->kept);
}

const runs::KeptRun* Runs::chosen(Side side) const {
    return state_->find(state_->compared[static_cast<std::size_t>(side)]);
}

void Runs::choose(Side side, const QString& id) {
    QString& at = state_->compared[static_cast<std::size_t>(side)];
    if (at == id) return;
    at = id;
    Q_EMIT comparedChanged();
}

void Runs::swap() {
    std::swap(state_->compared[0], state_->compared[1]);
    Q_EMIT comparedChanged();
}

const runs::KeptRun* Runs::find(const QString& id) const {
    return state_->find(id);
}

void Runs::annotate(const QString& id, const runs::RunNotes& notes, const QString& description) {
    const runs::KeptRun* run = find(id);
    if (run == nullptr || run->notes == notes) return;
    const auto set = [this, id, where = folder()](const runs::RunNotes& to) {
        return [this, id, where, to] {
            state_->edits.enqueue(
                where, [id = id.toStdString(), to](const std::filesystem::path& folder) {
                    const auto runs = store::open_runs(folder);
                    return runs ? runs::set_notes(*runs, id, to) : Status(runs.error());
                });
        };
    };
    state_->session->undoStack().push(new EditCommand(description, set(notes), set(run->notes)));
}

void Runs::setNote(const QString& id, const QString& note) {
    const runs::KeptRun* run = find(id);
    if (run == nullptr) return;
    runs::RunNotes notes = run->notes;
    notes.note = note.trimmed().toStdString();
    annotate(id, notes,
             notes.note.empty() ? tr("remove the note of a run") : tr("edit the note of a run"));
}

void Runs::pin(const QString& id, const QString& name) {
    const runs::KeptRun* run = find(id);
    if (run == nullptr) return;
    runs::RunNotes notes = run->notes;
    notes.baseline = name.trimmed().toStdString();
    std::array<unsigned, runs::baseline_colours> used{};
    for (const runs::KeptRun& other : state_->kept)
        if (!other.notes.baseline.empty() && &other != run)
            ++used[other.notes.colour % runs::baseline_colours];
    notes.colour =
        notes.baseline.empty()
            ? 0
            : static_cast<unsigned>(std::min_element(used.begin(), used.end()) - used.begin());
    annotate(id, notes,
             notes.baseline.empty() ? tr("clear baseline %1").arg(to_qt(run->notes.baseline))
                                    : tr("set baseline %1").arg(name.trimmed()));
}

void Runs::remove(const QString& id) {
    const runs::KeptRun* run = find(id);
    if (run == nullptr) return;
    const auto removed = std::make_shared<runs::RemovedRun>();
    const auto take = [this, where = folder(), id, removed] {
        state_->traces->forget(where.toStdString(), id.toStdString());
        state_->edits.enqueue(
            where, [id = id.toStdString(), removed](const std::filesystem::path& folder) {
                const auto runs = store::open_runs(folder);
                if (!runs) return Status(runs.error());
                auto taken = runs::remove_run(*runs, id);
                if (!taken) return Status(taken.error());
                *removed = *std::move(taken);
                return Status();
            });
    };
    const auto bring_back = [this, where = folder(), removed] {
        state_->edits.enqueue(where, [removed](const std::filesystem::path& folder) {
            const auto runs = store::open_runs(folder);
            return runs ? runs::restore_run(*runs, *removed) : Status(runs.error());
        });
    };
    state_->session->undoStack().push(
        new EditCommand(tr("delete run %1").arg(id), take, bring_back));
}

void Runs::changeFolder(std::function<Status(const std::filesystem::path&)> change) {
    state_->edits.enqueue(folder(), std::move(change));
}

/// Intervals are resampled: for many blocks that takes a moment.
void Runs::compare() {
    State& s = *state_;
    s.comparison.reset();
    const runs::KeptRun *a = chosen(Side::a), *b = chosen(Side::b);
    if (a == nullptr || b == nullptr) return s.comparing.cancel();
    s.comparing.start([this, a = *a, b = *b](const BackgroundWork::Delivery& deliver, ProgressSink&,
                                             const std::stop_token&) {
        auto made = std::make_shared<const runs::RunComparison>(runs::compare_runs(a, b));
        deliver([this, made = std::move(made)] {
            state_->comparison = made;
            Q_EMIT comparisonChanged();
        });
    });
}

std::shared_ptr<const runs::RunComparison> Runs::comparison() const {
    return state_->comparison;
}

} // namespace blockloom::ui
