// The speed-up of the run in progress beside the kept runs of the same blocks: chart, text, legend
// and table.
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

/// The kept runs of the blocks are gathered off the GUI thread, once for each run and list of runs.
class LiveSpeedup : public QWidget {
    Q_OBJECT

public:
    explicit LiveSpeedup(Runs* runs, QWidget* parent = nullptr);
    ~LiveSpeedup() override;

    [[nodiscard]] ChartView* chart() const { return chart_; } ///< Amdahl's curve and the runs
    [[nodiscard]] QString words() const; ///< under the chart, or in place of it
    /// The chart's data as a table.
    [[nodiscard]] Table* table() const;

    /// Gathers for the run in progress or, if there is none, for `shown`.
    void gather(const runs::KeptRun& shown);
    void showTable(bool table);
    void forget();      ///< shows nothing
    void forgetPoint(); ///< removes the point of the run in progress
    void place(const execute::LiveSnapshot& snapshot);

Q_SIGNALS:
    void gathered(); ///< the run in progress can be placed now

private:
    void showScaling();

    Runs* runs_;
    QLabel* words_;
    ChartView* chart_;
    BackgroundWork* gathering_;
    runs::KeptRun shown_;
    std::shared_ptr<const runs::LiveScaling> scaling_; ///< null: being gathered, or nothing shown
    QString scaling_of_; ///< the blocks and runs it is of, or is being gathered for
    std::optional<runs::RunningPoint> so_far_;
};

} // namespace blockloom::ui
