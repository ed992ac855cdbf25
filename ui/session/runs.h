// The runs of the open range: settings of the next run, the run in progress, the kept runs, and the
// two that are compared.
#pragma once

#include "session/compared_runs.h"
#include "session/kept_run_list.h"
#include "session/run_choices.h"

#include <QObject>
#include <QString>

#include <filesystem>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace blockloom::execute {
class LiveRun;
}

namespace blockloom::ui {

struct RunOrder;
class Session;

/// Lives on the GUI thread beside the Session and runs as the session's work: progress, Cancel and
/// errors of a run are those of the window. What the panels know of runs; the parts that do the
/// work are RunChoices, KeptRunList and ComparedRuns.
class Runs : public QObject {
    Q_OBJECT

public:
    using Side = ComparedRuns::Side;

    explicit Runs(Session* session, QObject* parent = nullptr);
    ~Runs() override;

    // Settings of the next run.
    [[nodiscard]] const std::vector<Backend>& backends() const { return choices_->backends(); }
    /// The choice is kept if it is still in the list.
    void setBackends(std::vector<Backend> backends) { choices_->setBackends(std::move(backends)); }
    [[nodiscard]] const std::vector<StrategyChoice>& strategies() const {
        return choices_->strategies();
    }
    /// The chosen backend's key, the chosen strategy's name.
    [[nodiscard]] QString backend() const { return choices_->backend(); }
    [[nodiscard]] QString strategy() const { return choices_->strategy(); }
    /// Ignored if it cannot be used. The serial strategy is not available on a device.
    void setBackend(const QString& key) { choices_->setBackend(key); }
    void setStrategy(const QString& name) { choices_->setStrategy(name); }
    /// CPU workers of the next run; the simulated schedule has its own (Session::workers). By
    /// default the number of cores.
    [[nodiscard]] quint32 workers() const { return choices_->workers(); }
    static constexpr quint32 most_workers = RunChoices::most_workers;
    void setWorkers(quint32 count) { choices_->setWorkers(count); } ///< 1 to `most_workers`
    /// Repetitions of the next run: an interval needs six.
    [[nodiscard]] unsigned repetitions() const { return choices_->repetitions(); }
    static constexpr unsigned most_repetitions = RunChoices::most_repetitions;
    /// At most `most_repetitions`.
    void setRepetitions(unsigned count) { choices_->setRepetitions(count); }
    /// Whether the next run is verified: after its repetitions the serial reference is executed and
    /// every block's result compared with it.
    [[nodiscard]] bool verifies() const { return choices_->verifies(); }
    void setVerifies(bool on) { choices_->setVerifies(on); }
    [[nodiscard]] const RunLimits& limits() const { return choices_->limits(); }
    void setLimits(const RunLimits& limits) { choices_->setLimits(limits); }
    /// Opens the device of the next run instead of compute::open_provider (for tests).
    void openDevicesBy(runs::DeviceOpener open) { choices_->openDevicesBy(std::move(open)); }
    /// Called on the job's thread when a run was kept and before it is verified (for tests).
    void beforeVerification(std::function<void()> act);
    /// Why the open range cannot be replayed; empty: it can.
    [[nodiscard]] QString whyNot() const;
    /// whyNot(), or that a run is already in progress.
    [[nodiscard]] QString whyNotStart() const;
    /// Replays the open range on the state before it, commits nothing and keeps the run.
    void start();
    /// The order of the next run, of the open range.
    [[nodiscard]] RunOrder nextOrder() const;

    // The run in progress.
    /// For watching it; null: none was started, or it was cancelled. It stays after its end until
    /// the kept run takes its place or the next one begins.
    [[nodiscard]] std::shared_ptr<execute::LiveRun> live() const;
    [[nodiscard]] bool running() const; ///< a run is in progress
    /// Sets the run in progress; null: none.
    void follow(std::shared_ptr<execute::LiveRun> live);
    [[nodiscard]] bool pauseAsked() const;
    /// Takes effect between two tasks, once the current ones have ended; ignored unless a run is in
    /// progress.
    void setPaused(bool paused);
    /// The last run made by this window; null: none, or not listed.
    [[nodiscard]] const runs::KeptRun* lastMade() const;

    // The kept runs, newest first: those of the range's workspace, else of the user's own.
    /// Instead of the user's own (for tests).
    void setFolder(const QString& workspace) { list_->setFolder(workspace); }
    /// The workspace that keeps runs now; empty: none.
    [[nodiscard]] QString folder() const { return list_->folder(); }
    void reload() { list_->reload(); }
    [[nodiscard]] bool reading() const; ///< the list is being read, or two runs are compared
    /// The newest 200 and all baselines, until older ones are requested.
    [[nodiscard]] const std::vector<runs::KeptRun>& kept() const { return list_->kept(); }
    /// Their traces; thread-safe.
    [[nodiscard]] std::shared_ptr<RunTraces> traces() const { return list_->traces(); }
    /// Number of kept runs, including those not read.
    [[nodiscard]] std::size_t keptInAll() const { return list_->inAll(); }
    void readOlder() { list_->readOlder(); } ///< reads five times as many as before
    /// The baseline of a run's speed-up; null: no serial run of its blocks is kept.
    [[nodiscard]] const runs::KeptRun* baselineOf(const runs::KeptRun& run) const {
        return runs::baseline_of(run, kept());
    }

    /// Why a kept run cannot be verified now; empty: it can, unless trying shows otherwise.
    [[nodiscard]] QString whyNotVerify(const QString& id) const;
    /// Executes its blocks serially again, compares the results and keeps what came of it in its
    /// document. The session's work: progress, Cancel and errors are those of the window.
    void verify(const QString& id);

    // Notes on kept runs, and deleting them: undo steps of the session.
    void annotate(const QString& id, const runs::RunNotes& notes, const QString& description) {
        list_->annotate(id, notes, description);
    }
    void setNote(const QString& id, const QString& note) { list_->setNote(id, note); }
    /// Makes it a named baseline in a colour that the other baselines do not have; empty: no longer
    /// a baseline.
    void pin(const QString& id, const QString& name) { list_->pin(id, name); }
    void remove(const QString& id) { list_->remove(id); }
    /// Null: not listed.
    [[nodiscard]] const runs::KeptRun* find(const QString& id) const { return list_->find(id); }
    /// Queues another change of the folder behind these; made off the GUI thread.
    void changeFolder(RunEdits::Change change) { list_->changeFolder(std::move(change)); }

    // The two compared runs.
    [[nodiscard]] const runs::KeptRun* chosen(Side side) const { return compared_->chosen(side); }
    /// Empty: none.
    void choose(Side side, const QString& id) { compared_->choose(side, id); }
    void swap() { compared_->swap(); }
    /// The comparison of the two; null: fewer than two are chosen, or it is still being computed.
    [[nodiscard]] std::shared_ptr<const runs::RunComparison> comparison() const {
        return compared_->comparison();
    }

Q_SIGNALS:
    void backendsChanged();
    void choiceChanged(); ///< backend, strategy, workers, limits, repetitions or verification
    void liveChanged();   ///< a run began, ended, was paused or was resumed
    void keptChanged();
    void finished(const QString& words); ///< a run was made and kept, and is listed
    void comparedChanged();              ///< A or B, or the runs behind them, changed
    void comparisonChanged();            ///< comparison() is ready

private:
    struct State;
    void leaveOldRange();
    void listRead();
    [[nodiscard]] bool stateIsChosen(const runs::KeptRun& run) const;
    std::unique_ptr<RunChoices> choices_;
    std::unique_ptr<KeptRunList> list_;
    std::unique_ptr<ComparedRuns> compared_;
    std::unique_ptr<State> state_;
};

} // namespace blockloom::ui
