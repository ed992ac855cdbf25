// A run in progress: throughput, blocks, statuses, batches, phases and resource use; afterwards the
// same from its record.
#pragma once

#include "base/result.h"
#include "docks/dock.h"
#include "runs/run_progress.h"

#include <QElapsedTimer>
#include <QTimer>

#include <array>
#include <memory>

class QBoxLayout;
class QGridLayout;
class QLabel;
class QPushButton;
class QScrollArea;
class QStackedWidget;

namespace blockloom::ui {

class ChartView;
class LiveSpeedup;
class Runs;
class Table;
class UsageModel;

/// Snapshots are polled by a timer that is active only during a run: however often the run's state
/// changes, no more is shown than can be seen, and nothing is done at rest.
class LiveDock : public Dock {
    Q_OBJECT

public:
    explicit LiveDock(Runs* runs, QWidget* parent = nullptr);

    [[nodiscard]] QPushButton* pauseButton() const { return pause_; }
    [[nodiscard]] ChartView* usageChart() const { return usage_; }
    [[nodiscard]] ChartView* bars() const { return bars_; }
    [[nodiscard]] ChartView* phases() const { return phases_; }
    [[nodiscard]] ChartView* speedup() const;
    [[nodiscard]] QString speedupWords() const; ///< text below or in place of the chart
    [[nodiscard]] Table* table() const { return table_; }
    [[nodiscard]] Table* speedupTable() const;
    [[nodiscard]] QString state() const; ///< "Running · repetition 2 of 6"
    /// "Tasks per second: 1,204", …: one line per figure.
    [[nodiscard]] QString figures() const;
    /// Writes what is shown; format by extension: png, svg.
    Status exportTo(const QString& path) const;
    [[nodiscard]] bool isPulling() const { return pull_.isActive(); }
    /// How often the display was updated.
    [[nodiscard]] quint64 renewals() const { return renewals_; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    enum Figure {
        tasks_rate,
        blocks_rate,
        blocks_done,
        elapsed,
        busy,
        accelerated,
        executions,
        rounds,
        statuses,
        placed,
        device,
        figure_count
    };
    struct Tile {
        QWidget* box = nullptr;
        QLabel *name = nullptr, *value = nullptr;
    };
    static constexpr int pulls_per_second = 20;

    void makeTiles();
    void layTiles();
    void showLive();
    void pull();
    void showProgress(const runs::RunProgress& progress);
    void showFigures(const runs::RunProgress& progress);
    void showState(const runs::RunProgress& progress);
    void showOverTime(const runs::RunProgress& progress);
    void gatherScaling();
    void exportPicture();

    Runs* runs_;
    QTimer pull_;
    QLabel *state_, *details_, *held_;
    QPushButton* pause_;
    QStackedWidget* pages_;
    QScrollArea* scroll_;
    QWidget *page_, *grid_box_;
    QGridLayout* grid_;
    QBoxLayout* columns_line_;
    std::array<Tile, figure_count> tiles_;
    ChartView *usage_, *bars_, *phases_;
    QElapsedTimer drawn_; ///< since the charts over time were updated
    LiveSpeedup* speedup_;
    UsageModel* model_;
    Table* table_;
    runs::KeptRun shown_;
    int columns_ = 0;
    std::uint64_t number_ = 0; ///< number of the snapshot that is shown
    quint64 renewals_ = 0;
};

} // namespace blockloom::ui
