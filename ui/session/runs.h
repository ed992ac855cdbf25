// The runs of the open range: where the next one is to run, those that are kept, and the two that
// are compared.
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

/// A strategy by the name of the command line, and why it cannot be chosen.
struct StrategyChoice {
    QString name, about, why;
    [[nodiscard]] bool usable() const { return why.isEmpty(); }
};

/// How rounds of the next run are cut; the serial strategy has none.
struct RunLimits {
    static constexpr std::size_t most = std::size_t{1} << 30; ///< of transactions
    std::size_t batch_min = 4;                                ///< transactions; fewer run serially
    std::size_t batch_max = 0; ///< attempts at once; 0: what the executor likes
    std::uint32_t slice = 0;   ///< instructions a device runs at a time; 0: by device
    friend bool operator==(const RunLimits&, const RunLimits&) = default;
};

/// Lives on the GUI thread beside the Session, whose line of work it uses: progress, Cancel and
/// errors of a run are those of the window.
class Runs : public QObject {
    Q_OBJECT

public:
    enum class Side { a, b };

    explicit Runs(Session* session, QObject* parent = nullptr);
    ~Runs() override;

    // Where the next run is to run.
    [[nodiscard]] const std::vector<Backend>& backends() const;
    void setBackends(std::vector<Backend> backends); ///< the choice stays where it is still there
    [[nodiscard]] const std::vector<StrategyChoice>& strategies() const;
    [[nodiscard]] QString backend() const;  ///< the key that is chosen
    [[nodiscard]] QString strategy() const; ///< its name
    /// Ignored where it cannot be used. A device takes the serial strategy away.
    void setBackend(const QString& key);
    void setStrategy(const QString& name);
    /// CPU workers of the next run; the simulated schedule has its own (Session::workers). As many
    /// as the machine has cores until it is set.
    [[nodiscard]] quint32 workers() const;
    static constexpr quint32 most_workers = 1024;
    void setWorkers(quint32 count); ///< 1 to `most_workers`
    /// How often the next run is repeated: an interval needs six.
    [[nodiscard]] unsigned repetitions() const;
    static constexpr unsigned most_repetitions = 10'000;
    void setRepetitions(unsigned count); ///< at most `most_repetitions`
    [[nodiscard]] const RunLimits& limits() const;
    void setLimits(const RunLimits& limits);
    /// What opens the device of the next run instead of compute::open_provider (tests).
    void
    openDevicesBy(std::function<Result<compute::Opened>(const compute::Settings& settings)> open);
    /// Why the open range cannot be replayed; empty: it can.
    [[nodiscard]] QString whyNot() const;
    /// Replays the open range on the state before it, commits nothing, and keeps the run.
    void start();

    // The run that goes on.
    /// Where it can be watched; null: none was started, or it was cancelled. It stays after its
    /// end, until the kept run takes its place or the next one begins.
    [[nodiscard]] std::shared_ptr<execute::LiveRun> live() const;
    [[nodiscard]] bool running() const; ///< live() has more to tell
    /// Takes a run that goes on; null: there is none.
    void follow(std::shared_ptr<execute::LiveRun> live);
    [[nodiscard]] bool pauseAsked() const;
    /// Between two tasks, as soon as those at hand have ended; ignored unless a run goes on.
    void setPaused(bool paused);
    /// The run that this window made last; null: none, or it is not listed.
    [[nodiscard]] const runs::KeptRun* lastMade() const;

    // The kept runs, newest first; of the range's workspace, else of the user's own.
    void setFolder(const QString& workspace); ///< instead of the user's own (tests)
    [[nodiscard]] QString folder() const;     ///< where runs are kept now; empty: nowhere
    void reload();
    [[nodiscard]] bool reading() const; ///< the list is being read, or two runs are compared
    /// The newest 200 and all baselines, until more are asked for.
    [[nodiscard]] const std::vector<runs::KeptRun>& kept() const;
    /// What ran when in them; any thread may ask it.
    [[nodiscard]] std::shared_ptr<RunTraces> traces() const;
    [[nodiscard]] std::size_t keptInAll() const; ///< read or not
    void readOlder();                            ///< five times as many as before
    /// What speed-ups of a run are measured against; null: no serial run of its blocks is kept.
    [[nodiscard]] const runs::KeptRun* baselineOf(const runs::KeptRun& run) const;

    // What is said of kept runs, and taking them away: undo steps of the session.
    void annotate(const QString& id, const runs::RunNotes& notes, const QString& description);
    void setNote(const QString& id, const QString& note);
    /// As a named baseline, in a colour that the other baselines do not have; empty: no longer.
    void pin(const QString& id, const QString& name);
    void remove(const QString& id);
    [[nodiscard]] const runs::KeptRun* find(const QString& id) const; ///< null: not listed
    /// Another change of the folder, in line with these; off the GUI thread.
    void changeFolder(std::function<Status(const std::filesystem::path& folder)> change);

    // The two that are compared.
    [[nodiscard]] const runs::KeptRun* chosen(Side side) const;
    void choose(Side side, const QString& id); ///< empty: none
    void swap();
    /// Of the two; null: less than two are chosen, or it is still being made.
    [[nodiscard]] std::shared_ptr<const runs::RunComparison> comparison() const;

Q_SIGNALS:
    void backendsChanged();
    void choiceChanged(); ///< backend, strategy, workers, limits or repetitions
    void liveChanged();   ///< a run began or ended, or it was paused or goes on
    void keptChanged();
    void finished(const QString& words); ///< a run was made and kept, and is listed
    void comparedChanged();              ///< A or B, or the runs behind them
    void comparisonChanged();            ///< comparison() is there

private:
    struct State;
    enum class Asked { here, by_watch };
    void read(Asked asked);
    void compare();
    std::unique_ptr<State> state_;
};

} // namespace blockloom::ui
