// The window's state: one open range, one current block, one selection, one set of rules. Docks
// read it and request changes; they never talk to each other.
#pragma once

#include "range/followed_range.h"
#include "range/range.h"
#include "schedule/schedules.h"
#include "session/background_work.h"
#include "session/rules.h"
#include "session/state_choice.h"

#include <QObject>
#include <QString>
#include <QStringList>
#include <QUndoStack>

#include <memory>
#include <optional>

namespace blockloom::ui {

/// How sources are read.
struct OpenChoices {
    QString chain = QStringLiteral("auto"); ///< auto, bitcoin, alkanes or trace
    QString workspace; ///< folder with the state before the first block; empty: none
    QString rules = QStringLiteral("released"); ///< released or develop
    QString fuel{};                             ///< counted or exact; empty: the network's default
    /// Heights, both included: of blocks of a node or in an indexer's database.
    std::optional<quint64> from{}, to{};
    StateChoice state{}; ///< where else the state before the first block is; none: in the workspace
    QString credentials{}, certificates{}; ///< files, for a source that is a node
    bool follow = false;                   ///< the blocks that the node gets are added as they come
    friend bool operator==(const OpenChoices&, const OpenChoices&) = default;
};

/// Progress of the current work; `remainingNs` < 0: too unsteady to estimate.
struct WorkProgress {
    QString phase;
    quint64 done = 0, total = 0;
    qint64 remainingNs = -1;
};

/// Lives on the GUI thread; long work runs in a std::jthread and its results arrive by queued
/// calls. A newer request of a kind replaces the older one (stale results drop themselves by a
/// generation number).
class Session : public QObject {
    Q_OBJECT

public:
    explicit Session(QObject* parent = nullptr);
    ~Session() override;

    // The range.
    /// Files, folders or "demo"; the previous range stays until the new one is ready. Blocks of
    /// Alkanes are executed, and what the Inspector shows of their messages is recorded.
    void open(const QStringList& sources, const OpenChoices& choices = {});
    /// Other long work: its progress is shown, cancel() ends it, and opening a range or changing
    /// rules replaces it. The display does not change. `name`: its name in messages ("Run");
    /// `loss`: what is lost if it is cancelled.
    void perform(BackgroundWork::Job job, const QString& name = {}, const QString& loss = {});
    /// The same with a loss that depends on how far the work has come; called when it is cancelled.
    void perform(BackgroundWork::Job job, const QString& name, std::function<QString()> loss);
    void cancel(); ///< cancels the work in progress and reports it; earlier results stay
    /// Whether work of perform() is in progress, which would be lost if the program ended.
    [[nodiscard]] bool performs() const;
    [[nodiscard]] QString workName() const; ///< name of the work in progress: "Opening demo", "Run"
    void close();                           ///< closes the range; the rules stay
    [[nodiscard]] bool busy() const;
    [[nodiscard]] const WorkProgress& progress() const;
    [[nodiscard]] std::shared_ptr<const range::Range> range() const; ///< null: nothing open
    [[nodiscard]] QStringList sources() const;
    [[nodiscard]] const OpenChoices& choices() const; ///< with which the range was opened
    /// The end of the range has changed: the rest stays as it is shown. The current block stays
    /// the current one, unless it was replaced, or was the last one with nothing selected: then
    /// the new last one is. Waits for work that replaces what is shown. `made_by`: the rules of
    /// the added blocks.
    void grow(const range::RangeGrowth& growth, const Rules& made_by);
    void setFollows(bool on); ///< remembers it with the choices, and notifies followers
    /// Options that open the same range again, including compiled contracts.
    [[nodiscard]] range::RangeOptions rangeOptions() const;
    /// Work that replaces the displayed results is in progress or was cancelled: panels label them
    /// "out of date".
    [[nodiscard]] bool showsBefore() const;
    /// Wall time of the work that made the displayed results; −1: none yet.
    [[nodiscard]] qint64 analysisNs() const;
    /// What analysisNs() covers: "read and analysed", "executed and analysed", "reanalysed".
    [[nodiscard]] QString analysisWords() const;

    // The current block and its simulated schedule.
    [[nodiscard]] int currentRow() const; ///< −1: none
    void setCurrentRow(int row);
    [[nodiscard]] std::shared_ptr<const range::BlockRecord> currentBlock() const;
    [[nodiscard]] schedule::Strategy strategy() const;
    [[nodiscard]] quint32 workers() const;
    void setStrategy(schedule::Strategy strategy);
    static constexpr quint32 most_workers = 1024;
    void setWorkers(quint32 workers); ///< at most `most_workers`
    /// The schedule of the current block under strategy() and workers(); cached until one of them
    /// changes.
    [[nodiscard]] std::shared_ptr<const schedule::Schedule> currentSchedule() const;

    // One selection for all panels.
    [[nodiscard]] std::optional<quint32> selectedTask() const;
    [[nodiscard]] std::optional<quint32> selectedKey() const;
    void selectTask(std::optional<quint32> task);
    void selectKey(std::optional<quint32> key);
    void goBack(); ///< through earlier selections, like a browser
    void goForward();
    [[nodiscard]] bool canGoBack() const;
    [[nodiscard]] bool canGoForward() const;

    // The rules of the analysis. Changes can be undone and start a new analysis: the current block
    // first, then the range.
    [[nodiscard]] const schedule::AnalysisOptions& options() const;
    void setModel(conflict::ConflictModel model);
    void setUseCost(bool own); ///< the trace's own costs, else 1 per task
    void setPolicy(const trace::KeyPolicy& policy, const QString& description);
    /// Adds it to or removes it from the policy's `ignore`.
    void relaxKey(const QString& printableKey, bool relaxed);
    [[nodiscard]] QUndoStack& undoStack();
    /// Restores settings of an earlier session without an undo step. Call while nothing is open.
    void restore(const Rules& rules, schedule::Strategy strategy, quint32 workers);

Q_SIGNALS:
    void busyChanged(bool busy);
    void progressChanged();
    void opened();       ///< after rangeChanged(): another range, or the same one read again
    void rangeChanged(); ///< another range, all blocks reanalysed, or its end changed
    void followsChanged();
    void blockChanged();    ///< the current row or its record changed
    void scheduleChanged(); ///< strategy, workers or the block changed
    void selectionChanged();
    void optionsChanged();
    /// What was cancelled, its progress, and the current state.
    void cancelled(const QString& words);
    void failed(const QString& message); ///< shown in a bar, never a modal
    void logged(const QString& level, const QString& message);

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace blockloom::ui
