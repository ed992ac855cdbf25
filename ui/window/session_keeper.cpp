#include "window/session_keeper.h"

#include "docks/graph/graph_dock.h"
#include "session/runs.h"
#include "session/session.h"
#include "text/numbers.h"
#include "text/to_qt.h"

#include <QDir>
#include <QEvent>
#include <QFile>
#include <QFileInfo>

namespace blockloom::ui {
namespace {

int row_of(const range::Range& range, const QString& hash) {
    for (std::size_t i = 0; i < range.blocks.size(); ++i)
        if (range.blocks[i]->trace->block.hash == hash.toStdString()) return static_cast<int>(i);
    return -1;
}

std::optional<quint32> task_of(const trace::PolicedTrace& trace, std::optional<quint32> in_block) {
    if (!in_block) return std::nullopt;
    for (quint32 task = 0; task < trace.tasks(); ++task)
        if (trace.task_in_block(task) == *in_block) return task;
    return std::nullopt;
}

std::optional<quint32> key_of(const trace::PolicedTrace& trace, const QString& printable) {
    if (printable.isEmpty() || !trace.keys) return std::nullopt;
    const std::string wanted = printable.toStdString();
    for (quint32 key = 0; key < trace.access_sets().key_count; ++key)
        if (trace.keys->printable(key) == wanted) return key;
    return std::nullopt;
}

} // namespace

SessionKeeper::SessionKeeper(Session* session, Runs* runs, GraphDock* graph, QString file,
                             QObject* parent)
    : QObject(parent), session_(session), runs_(runs), graph_(graph), file_(std::move(file)),
      lock_(file_ + QStringLiteral(".lock")) {
    lock_.setStaleLockTime(0); // it becomes stale only when its process ends
    soon_.setSingleShot(true);
    soon_.setInterval(delay_ms);
    connect(&soon_, &QTimer::timeout, this, &SessionKeeper::save);
    looks_.setInterval(look_ms);
    connect(&looks_, &QTimer::timeout, this, &SessionKeeper::look);
    connect(session_, &Session::rangeChanged, this, [this] {
        if (!session_->range() || !std::exchange(opens_, false)) return;
        stands_ = settled_ = false;
        looks_.start();
    });
    connect(session_, &Session::busyChanged, this, [this](bool busy) {
        if (!busy && wanted_ && session_->sources() != wanted_->sources) giveUp();
    });
    for (const auto signal :
         {&Session::rangeChanged, &Session::blockChanged, &Session::scheduleChanged,
          &Session::selectionChanged, &Session::optionsChanged, &Session::followsChanged})
        connect(session_, signal, this, &SessionKeeper::changed);
    // Panels are notified of the range first; then the selection is restored.
    connect(session_, &Session::rangeChanged, this, &SessionKeeper::takeUp, Qt::QueuedConnection);
    connect(runs_, &Runs::comparedChanged, this, &SessionKeeper::changed);
    connect(runs_, &Runs::choiceChanged, this, [this] {
        if (!choosing_) where_.reset(); // the user has chosen since
        changed();
    });
    connect(runs_, &Runs::backendsChanged, this, [this] { chooseWhere(true); });
    connect(runs_, &Runs::keptChanged, this, [this] {
        if (!wanted_) compared_ = {};
    });
    connect(graph_, &GraphDock::viewChosen, this, &SessionKeeper::changed);
}

void SessionKeeper::watch(QObject* panel) {
    panel->installEventFilter(this);
}

bool SessionKeeper::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::Resize:
    case QEvent::Show:
    case QEvent::Hide:
    case QEvent::Move:
        changed();
        break;
    default:
        break;
    }
    return QObject::eventFilter(watched, event);
}

bool SessionKeeper::mine() {
    if (lock_.isLocked()) return true;
    QDir().mkpath(QFileInfo(file_).path());
    if (lock_.tryLock(0)) return true;
    if (lock_.error() == QLockFile::LockFailedError) {
        report(tr("Blockloom is already running; this window's session will not be restored"));
        return false;
    }
    // Where the lock cannot be written, neither can the session; the write reports why.
    return true;
}

void SessionKeeper::report(const QString& problem) {
    problem_ = problem;
    if (problem.isEmpty()) {
        reported_ = false;
    } else if (!reported_) {
        reported_ = true;
        Q_EMIT failed(problem);
    }
}

void SessionKeeper::opens() {
    opens_ = true;
}

/// A crash can happen after the first frame: in a table, or in the list of runs.
void SessionKeeper::look() {
    const bool settled = !session_->range() || !drawn_ || drawn_();
    // Once more: between two looks the widgets are painted.
    if (!std::exchange(settled_, settled) || !settled) return;
    looks_.stop();
    stands_ = true;
    changed();
}

void SessionKeeper::changed() {
    if (!soon_.isActive()) soon_.start();
}

void SessionKeeper::save() {
    soon_.stop();
    // Restored choices count as the user's only once all of them are restored.
    if (wanted_ || !session_->range()) return;
    write(now());
}

void SessionKeeper::end() {
    if (wanted_) giveUp();
    stands_ = true; // it did not end the program
    save();
    lock_.unlock();
}

/// It could not be opened, or not yet: another start may try again.
void SessionKeeper::giveUp() {
    SavedSession wanted = *std::exchange(wanted_, std::nullopt);
    wanted.opening = false;
    write(wanted);
}

void SessionKeeper::forget() {
    soon_.stop();
    wanted_.reset();
    if (mine()) QFile::remove(file_);
}

void SessionKeeper::write(const SavedSession& saved) {
    if (!mine()) return;
    held_back_ = false;
    // A session that could not be read is set aside, not overwritten.
    if (std::exchange(damaged_, false)) {
        QFile::remove(file_ + QStringLiteral(".damaged"));
        QFile::rename(file_, file_ + QStringLiteral(".damaged"));
    }
    Q_EMIT keeping();
    if (const Status written = write_session(file_, saved); !written)
        return report(tr("The session cannot be saved and will not be restored: %1")
                          .arg(to_qt(written.error().message)));
    report({});
    Q_EMIT kept();
}

SavedSession SessionKeeper::now() const {
    SavedSession saved;
    saved.sources = session_->sources();
    saved.choices = session_->choices();
    saved.opening = !stands_;
    const schedule::AnalysisOptions& options = session_->options();
    saved.rules = {options.model, options.policy, options.use_cost};
    saved.schedule = session_->strategy();
    saved.workers = session_->workers();
    if (const auto block = session_->currentBlock()) {
        saved.block = to_qt(block->trace->block.hash);
        const trace::PolicedTrace& trace = *block->analysis.index->trace;
        if (const auto task = session_->selectedTask(); task && *task < trace.tasks())
            saved.task = trace.task_in_block(*task);
        if (const auto key = session_->selectedKey(); key && trace.keys)
            saved.key = to_qt(trace.keys->printable(*key));
    }
    if (const auto view = graph_->chosenView()) saved.view = to_qt(std::string(name_of(*view)));
    saved.backend = where_ ? where_->backend : runs_->backend();
    saved.strategy = where_ ? where_->strategy : runs_->strategy();
    saved.run_workers = runs_->workers();
    saved.repetitions = runs_->repetitions();
    saved.verifies = runs_->verifies();
    saved.limits = runs_->limits();
    // Until the list of runs is there, nobody has chosen others.
    const auto id = [this](Runs::Side side, const QString& before) {
        const runs::KeptRun* run = runs_->chosen(side);
        return run == nullptr ? before : to_qt(run->id);
    };
    saved.run_a = id(Runs::Side::a, compared_.first);
    saved.run_b = id(Runs::Side::b, compared_.second);
    return saved;
}

bool SessionKeeper::restore() {
    return bringBack(false);
}

bool SessionKeeper::restoreAnyway() {
    return bringBack(true);
}

bool SessionKeeper::bringBack(bool anyway) {
    held_back_ = false;
    if (!mine()) return false;
    const auto saved = read_session(file_);
    if (!saved) {
        damaged_ = true;
        report(tr("The last session cannot be restored: %1").arg(to_qt(saved.error().message)));
        return false;
    }
    if (!*saved || (*saved)->sources.isEmpty()) return false;
    SavedSession wanted = **saved;
    if (wanted.opening && !anyway) {
        // Opening it might crash again: the mark stays until the user asks for it.
        held_back_ = true;
        report(
            tr("Blockloom ended unexpectedly while it was opening %1, so this start did not open "
               "it. Your settings are kept")
                .arg(shortened(wanted.sources.join(QStringLiteral(", ")), 200, 200)));
        return false;
    }
    report({});
    wanted.opening = true;
    write(wanted);
    wanted_ = wanted;
    compared_ = {wanted.run_a, wanted.run_b};
    session_->restore(wanted.rules, wanted.schedule, wanted.workers);
    if (wanted.run_workers) runs_->setWorkers(*wanted.run_workers);
    runs_->setRepetitions(wanted.repetitions);
    runs_->setVerifies(wanted.verifies);
    runs_->setLimits(wanted.limits);
    where_ = wanted; // last: any choice but its own takes it away
    chooseWhere(false);
    opens();
    session_->open(wanted.sources, wanted.choices);
    return true;
}

void SessionKeeper::takeUp() {
    if (!wanted_ || !session_->range()) return;
    const SavedSession wanted = *std::exchange(wanted_, std::nullopt);
    if (session_->sources() != wanted.sources) return changed(); // the user opened something else
    // Before the runs of this range's workspace are listed.
    runs_->choose(Runs::Side::a, wanted.run_a);
    runs_->choose(Runs::Side::b, wanted.run_b);
    if (const int row = row_of(*session_->range(), wanted.block); row >= 0) {
        session_->setCurrentRow(row);
        const trace::PolicedTrace& trace = *session_->currentBlock()->analysis.index->trace;
        if (const auto task = task_of(trace, wanted.task)) session_->selectTask(task);
        if (const auto key = key_of(trace, wanted.key)) session_->selectKey(key);
    }
    if (const auto view = scene::view_named(wanted.view.toStdString())) graph_->setView(*view);
    changed();
    Q_EMIT restored();
}

/// The list comes late, and a choice of something that is not in it is refused.
void SessionKeeper::chooseWhere(bool listed) {
    if (!where_) return;
    choosing_ = true;
    runs_->setBackend(where_->backend);
    runs_->setStrategy(where_->strategy);
    choosing_ = false;
    if (listed || runs_->backend() == where_->backend) where_.reset();
}

} // namespace blockloom::ui
