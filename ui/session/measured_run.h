// The kept run whose spans the Schedule shows: when the tasks of the current block ran.
#pragma once

#include "range/range.h"
#include "schedule/measured.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <memory>
#include <vector>

namespace blockloom::profile {
struct Trace;
}

namespace blockloom::ui {

class BackgroundWork;
class Runs;
class Session;

/// One block of one run. Immutable.
struct MeasuredView {
    QString run;            ///< its id
    QString name;           ///< name in lists
    std::size_t window = 1; ///< number of blocks executed together
    std::shared_ptr<const range::BlockRecord> block;
    std::shared_ptr<const schedule::MeasuredSchedule> measured;
    /// The same with the runs beside it stacked below (runs::stacked).
    std::shared_ptr<const schedule::MeasuredSchedule> drawn;
    /// One of those runs: its first lane in `drawn`.
    struct Beside {
        QString name;
        std::size_t first_lane = 0;
        std::uint64_t makespan = 0; ///< ns
    };
    std::vector<Beside> beside;
    QString not_beside; ///< why some of them are not there; empty: all are
    /// The block with the measured times as costs; null: `no_prediction` says why.
    std::shared_ptr<const schedule::BlockAnalysis> analysis;
    QString no_prediction;
};

/// Lives on the GUI thread; reads and lays out spans off it. By default it is the newest of the
/// compared runs that has the block, else the newest kept run that has it.
class MeasuredRun : public QObject {
    Q_OBJECT

public:
    MeasuredRun(Session* session, Runs* runs, QObject* parent = nullptr);
    /// The instance that all panels share; lives as long as `runs`.
    [[nodiscard]] static MeasuredRun* of(Session* session, Runs* runs);
    ~MeasuredRun() override;

    struct Choice {
        QString id, name;
    };
    /// Kept runs that have the current block, newest first.
    [[nodiscard]] std::vector<Choice> choices() const;
    [[nodiscard]] QString chosen() const; ///< the id; empty: none
    void choose(const QString& id);       ///< empty: only the prediction
    /// Runs that are shown below the chosen one, by id; at most `most_beside`.
    [[nodiscard]] QStringList beside() const { return beside_; }
    static constexpr int most_beside = 4;
    void setBeside(const QStringList& ids);
    /// Null: nothing is chosen, it is still being read, or why() says what is missing.
    [[nodiscard]] std::shared_ptr<const MeasuredView> view() const;
    [[nodiscard]] QString why() const;
    [[nodiscard]] bool isByUser() const { return by_user_; } ///< the choice
    [[nodiscard]] bool reading() const;

Q_SIGNALS:
    void changed(); ///< choices(), chosen() or view() changed

private:
    void follow(); ///< after the block or the runs changed
    void read();

    Session* session_;
    Runs* runs_;
    BackgroundWork* work_;
    QString chosen_;
    QStringList beside_;
    bool by_user_ = false; ///< including the choice to show none
    /// The trace read last, for the run's other blocks.
    std::shared_ptr<const profile::Trace> trace_;
    QString why_;
    std::shared_ptr<const MeasuredView> view_;
};

} // namespace blockloom::ui
