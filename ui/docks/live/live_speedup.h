// The speed-up of the run that goes on beside the kept runs of the same blocks: chart, words,
// legend and table.
#pragma once

#include "runs/live_scaling.h"

#include <QWidget>

#include <memory>
#include <optional>

class QLabel;

namespace blockloom::execute {
struct LiveSnapshot;
}

namespace blockloom::ui {

class BackgroundWork;
class ChartView;
class Runs;
class Table;

/// The kept runs of the blocks are gathered off the GUI thread, once for a run and a list of runs.
class LiveSpeedup : public QWidget {
    Q_OBJECT

public:
    explicit LiveSpeedup(Runs* runs, QWidget* parent = nullptr);
    ~LiveSpeedup() override;

    [[nodiscard]] ChartView* chart() const { return chart_; } ///< Amdahl's curve and the runs
    [[nodiscard]] QString words() const; ///< under the chart, or in place of it
    /// What the chart says, as a table.
    [[nodiscard]] Table* table() const;

    /// Gathers for the run that goes on; where none does, for `shown`.
    void gather(const runs::KeptRun& shown);
    void showTable(bool table);
    void forget();      ///< nothing is shown
    void forgetPoint(); ///< where the run that goes on stands
    void place(const execute::LiveSnapshot& snapshot);

Q_SIGNALS:
    void gathered(); ///< the run that goes on can be placed now

private:
    void showScaling();

    Runs* runs_;
    QLabel* words_;
    ChartView* chart_;
    BackgroundWork* gathering_;
    runs::KeptRun shown_;
    std::shared_ptr<const runs::LiveScaling> scaling_; ///< null: being gathered, or nothing shown
    QString scaling_of_;                               ///< what it is, or is being gathered, of
    std::optional<runs::RunningPoint> so_far_;
};

} // namespace blockloom::ui
