// The kept run whose spans the Schedule shows: when it ran the tasks of the current block.
#pragma once

#include "range/range.h"
#include "schedule/measured.h"

#include <QObject>
#include <QString>

#include <memory>
#include <vector>

namespace blockloom::profile {
struct Trace;
}

namespace blockloom::ui {

class BackgroundWork;
class Runs;
class Session;

/// Of one block and one run. Immutable once made.
struct MeasuredView {
    QString run;            ///< its id
    QString name;           ///< as lists name it
    std::size_t window = 1; ///< blocks that it executed at once
    std::shared_ptr<const range::BlockRecord> block;
    std::shared_ptr<const schedule::MeasuredSchedule> measured;
    /// The block with the measured times as costs; null: `no_prediction` says why.
    std::shared_ptr<const schedule::BlockAnalysis> analysis;
    QString no_prediction;
};

/// Lives on the GUI thread; spans are read and laid out off it. Where nobody chose, the newest of
/// the compared runs that has the block is taken, else the newest kept one.
class MeasuredRun : public QObject {
    Q_OBJECT

public:
    MeasuredRun(Session* session, Runs* runs, QObject* parent = nullptr);
    /// The one that all panels of these runs share; lives as long as the runs.
    [[nodiscard]] static MeasuredRun* of(Session* session, Runs* runs);
    ~MeasuredRun() override;

    struct Choice {
        QString id, name;
    };
    /// Kept runs of the current block, newest first.
    [[nodiscard]] std::vector<Choice> choices() const;
    [[nodiscard]] QString chosen() const; ///< the id; empty: none
    void choose(const QString& id);       ///< empty: only what is predicted
    /// Null: nothing is chosen, it is being read, or why() says what is missing.
    [[nodiscard]] std::shared_ptr<const MeasuredView> view() const;
    [[nodiscard]] QString why() const;
    [[nodiscard]] bool isByUser() const { return by_user_; } ///< the choice
    [[nodiscard]] bool reading() const;

Q_SIGNALS:
    void changed(); ///< choices, the choice, or the view

private:
    void follow(); ///< block or runs changed
    void read();

    Session* session_;
    Runs* runs_;
    BackgroundWork* work_;
    QString chosen_;
    bool by_user_ = false;                        ///< also that nothing is to be shown
    std::shared_ptr<const profile::Trace> trace_; ///< read last: for the run's other blocks
    QString why_;
    std::shared_ptr<const MeasuredView> view_;
};

} // namespace blockloom::ui
