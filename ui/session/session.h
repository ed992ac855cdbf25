// What the window is about: one open range, one current block, one selection, one set of rules.
// Docks read it and ask it to change; they never talk to each other.
#pragma once

#include "range/range.h"
#include "schedule/schedules.h"
#include "session/background_work.h"
#include "session/rules.h"

#include <QObject>
#include <QString>
#include <QStringList>
#include <QUndoStack>

#include <memory>
#include <optional>

namespace blockloom::ui {

/// How what is opened is read.
struct OpenChoices {
    QString chain = QStringLiteral("auto"); ///< auto, bitcoin, alkanes or trace
    QString workspace; ///< folder with the state before the first block; empty: none
    QString rules = QStringLiteral("released"); ///< the line of rules: released or develop
    QString fuel{}; ///< counted or exact; empty: as usual on the network
    friend bool operator==(const OpenChoices&, const OpenChoices&) = default;
};

/// How far the work in progress is; `remainingNs` < 0: not steady enough to tell.
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
    /// Files, folders or "demo"; the last range stays until it is there. Blocks of Alkanes are
    /// executed, with what the Inspector shows of their messages.
    void open(const QStringList& sources, const OpenChoices& choices = {});
    /// Other long work in the same line: its progress is shown, cancel() ends it, opening and
    /// changing rules replace it. What is on screen stays as it is.
    /// `name`: what it is called where it is cancelled ("Run"); `loss`: what is lost then.
    void perform(BackgroundWork::Job job, const QString& name = {}, const QString& loss = {});
    void cancel(); ///< ends the work in progress, and says so; what was there stays
    /// Work by perform() is in progress, which is lost when the program ends.
    [[nodiscard]] bool performs() const;
    [[nodiscard]] QString workName() const; ///< of the work in progress: "Opening demo", "Run"
    void close();                           ///< nothing is open any more; the rules stay
    [[nodiscard]] bool busy() const;
    [[nodiscard]] const WorkProgress& progress() const;
    [[nodiscard]] std::shared_ptr<const range::Range> range() const; ///< null: nothing open
    [[nodiscard]] QStringList sources() const;
    [[nodiscard]] const OpenChoices& choices() const; ///< by which the range was opened
    /// What would open the range again, compiled contracts included.
    [[nodiscard]] range::RangeOptions rangeOptions() const;
    /// Work goes on, or was cancelled, that will replace what is on screen: panels label it
    /// "before".
    [[nodiscard]] bool showsBefore() const;
    /// Wall time of the work that made what is shown; −1: none yet.
    [[nodiscard]] qint64 analysisNs() const;
    /// What `analysisNs()` covers: "read and analysed", "executed and analysed", "analysed anew".
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
    /// Of the current block under `strategy()` and `workers()`; made once and kept until one of
    /// them changes.
    [[nodiscard]] std::shared_ptr<const schedule::Schedule> currentSchedule() const;

    // One selection for all panels.
    [[nodiscard]] std::optional<quint32> selectedTask() const;
    [[nodiscard]] std::optional<quint32> selectedKey() const;
    void selectTask(std::optional<quint32> task);
    void selectKey(std::optional<quint32> key);
    void goBack(); ///< through the selections made, like a browser
    void goForward();
    [[nodiscard]] bool canGoBack() const;
    [[nodiscard]] bool canGoForward() const;

    // The rules of the analysis. Changes are undoable and re-analyse: the current block first, then
    // the range.
    [[nodiscard]] const schedule::AnalysisOptions& options() const;
    void setModel(conflict::ConflictModel model);
    void setUseCost(bool own); ///< the trace's own costs, else 1 a task
    void setPolicy(const trace::KeyPolicy& policy, const QString& description);
    void relaxKey(const QString& printableKey,
                  bool relaxed); ///< adds to or takes from the policy's `ignore`
    [[nodiscard]] QUndoStack& undoStack();
    /// What an earlier session had; no undo step. Call while nothing is open.
    void restore(const Rules& rules, schedule::Strategy strategy, quint32 workers);

Q_SIGNALS:
    void busyChanged(bool busy);
    void progressChanged();
    void rangeChanged();    ///< another range, or all blocks analysed anew
    void blockChanged();    ///< the current row, or what its record says
    void scheduleChanged(); ///< strategy, workers or the block
    void selectionChanged();
    void optionsChanged();
    void cancelled(const QString& words); ///< what was cancelled, how far it was, what holds now
    void failed(const QString& message);  ///< shown in a bar, never a modal
    void logged(const QString& level, const QString& message);

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace blockloom::ui
