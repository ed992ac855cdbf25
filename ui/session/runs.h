// The runs of the open range: settings of the next run, the kept runs, and the two that are
// compared.
#pragma once

#include "runs/run_comparison.h"

#include <QObject>
#include <QString>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace blockloom::compute {
struct Opened;
struct Settings;
} // namespace blockloom::compute
namespace blockloom::execute {
class LiveRun;
}

namespace blockloom::ui {

class RunTraces;
class Session;
struct Backend;

/// A strategy by its command-line name, and why it cannot be chosen.
struct StrategyChoice {
    QString name, about, why;
    [[nodiscard]] bool usable() const { return why.isEmpty(); }
};

/// Batch limits of the next run; not used by the serial strategy.
struct RunLimits {
    static constexpr std::size_t most = std::size_t{1} << 30; ///< of transactions
    std::size_t batch_min = 4;                                ///< transactions; fewer run serially
    std::size_t batch_max = 0; ///< attempts per batch; 0: set by the executor
    std::uint32_t slice = 0;   ///< instructions a device runs at a time; 0: set by the device
    friend bool operator==(const RunLimits&, const RunLimits&) = default;
};

/// Lives on the GUI thread beside the Session and runs as the session's work: progress, Cancel and
/// errors of a run are those of the window.
class Runs : public QObject {
    Q_OBJECT

public:
    enum class Side { a, b };

    explicit Runs(Session* session, QObject* parent = nullptr);
    ~Runs() override;

    // Settings of the next run.
    [[nodiscard]] const std::vector<Backend>& backends() const;
    /// The choice is kept if it is still in the list.
    void setBackends(std::vector<Backend> backends);
    [[nodiscard]] const std::vector<StrategyChoice>& strategies() const;
    [[nodiscard]] QString backend() const;  ///< key of the chosen backend
    [[nodiscard]] QString strategy() const; ///< name of the chosen strategy
    /// Ignored if it cannot be used. The serial strategy is not available on a device.
    void setBackend(const QString& key);
    void setStrategy(const QString& name);
    /// CPU workers of the next run; the simulated schedule has its own (Session::workers). By
    /// default the number of cores.
    [[nodiscard]] quint32 workers() const;
    static constexpr quint32 most_workers = 1024;
    void setWorkers(quint32 count); ///< 1 to `most_workers`
    /// Repetitions of the next run: an interval needs six.
    [[nodiscard]] unsigned repetitions() const;
    static constexpr unsigned most_repetitions = 10'000;
    void setRepetitions(unsigned count); ///< at most `most_repetitions`
    /// Whether the next run is verified: after its repetitions the serial reference is executed and
    /// every block's result compared with it.
    [[nodiscard]] bool verifies() const;
    void setVerifies(bool on);
    [[nodiscard]] const RunLimits& limits() const;
    void setLimits(const RunLimits& limits);
    /// Opens the device of the next run instead of compute::open_provider (for tests).
    void
    openDevicesBy(std::function<Result<compute::Opened>(const compute::Settings& settings)> open);
    /// Called on the job's thread when a run was kept and before it is verified (for tests).
    void beforeVerification(std::function<void()> act);
    /// Why the open range cannot be replayed; empty: it can.
    [[nodiscard]] QString whyNot() const;
    /// whyNot(), or that a run is already in progress.
    [[nodiscard]] QString whyNotStart() const;
    /// Replays the open range on the state before it, commits nothing and keeps the run.
    void start();

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
    void setFolder(const QString& workspace); ///< instead of the user's own (for tests)
    [[nodiscard]] QString folder() const;     ///< the workspace that keeps runs now; empty: none
    void reload();
    [[nodiscard]] bool reading() const; ///< the list is being read, or two runs are compared
    /// The newest 200 and all baselines, until older ones are requested.
    [[nodiscard]] const std::vector<runs::KeptRun>& kept() const;
    /// Their traces; thread-safe.
    [[nodiscard]] std::shared_ptr<RunTraces> traces() const;
    [[nodiscard]] std::size_t keptInAll() const; ///< number of kept runs, including those not read
    void readOlder();                            ///< reads five times as many as before
    /// The baseline of a run's speed-up; null: no serial run of its blocks is kept.
    [[nodiscard]] const runs::KeptRun* baselineOf(const runs::KeptRun& run) const;

    /// Why a kept run cannot be verified now; empty: it can, unless trying shows otherwise.
    [[nodiscard]] QString whyNotVerify(const QString& id) const;
    /// Executes its blocks serially again, compares the results and keeps what came of it in its
    /// document. The session's work: progress, Cancel and errors are those of the window.
    void verify(const QString& id);

    // Notes on kept runs, and deleting them: undo steps of the session.
    void annotate(const QString& id, const runs::RunNotes& notes, const QString& description);
    void setNote(const QString& id, const QString& note);
    /// Makes it a named baseline in a colour that the other baselines do not have; empty: no longer
    /// a baseline.
    void pin(const QString& id, const QString& name);
    void remove(const QString& id);
    [[nodiscard]] const runs::KeptRun* find(const QString& id) const; ///< null: not listed
    /// Queues another change of the folder behind these; made off the GUI thread.
    void changeFolder(std::function<Status(const std::filesystem::path& folder)> change);

    // The two compared runs.
    [[nodiscard]] const runs::KeptRun* chosen(Side side) const;
    void choose(Side side, const QString& id); ///< empty: none
    void swap();
    /// The comparison of the two; null: fewer than two are chosen, or it is still being computed.
    [[nodiscard]] std::shared_ptr<const runs::RunComparison> comparison() const;

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
    enum class Asked { here, by_watch };
    void read(Asked asked);
    void compare();
    std::unique_ptr<State> state_;
};

} // namespace blockloom::ui
