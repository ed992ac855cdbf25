// A run while it goes on: throughput, blocks, statuses, batches, phases and what it uses; after
// that the same from its record.
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

/// Snapshots are pulled by a timer that goes only while a run does: however many the run makes, as
/// many are shown as somebody can see, and at rest nothing is done.
class LiveDock : public Dock {
    Q_OBJECT

public:
    explicit LiveDock(Runs* runs, QWidget* parent = nullptr);

    [[nodiscard]] QPushButton* pauseButton() const { return pause_; }
    [[nodiscard]] ChartView* usageChart() const { return usage_; }
    [[nodiscard]] ChartView* bars() const { return bars_; }
    [[nodiscard]] ChartView* phases() const { return phases_; }
    [[nodiscard]] ChartView* speedup() const;
    [[nodiscard]] QString speedupWords() const; ///< under it, or in place of it
    [[nodiscard]] Table* table() const { return table_; }
    [[nodiscard]] Table* speedupTable() const;
    [[nodiscard]] QString state() const; ///< "Running · repetition 2 of 6"
    /// "Tasks a second: 1,204", …: a line a figure.
    [[nodiscard]] QString figures() const;
    /// Writes what is shown, by the file's ending: png, svg.
    Status exportTo(const QString& path) const;
    [[nodiscard]] bool isPulling() const { return pull_.isActive(); }
    /// How often what is shown was renewed.
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
    void fitDetails();
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
    QElapsedTimer drawn_; ///< since the charts over time were renewed
    LiveSpeedup* speedup_;
    UsageModel* model_;
    Table* table_;
    runs::KeptRun shown_;
    int columns_ = 0;
    std::uint64_t number_ = 0; ///< of the snapshot that is shown
    quint64 renewals_ = 0;
};

} // namespace blockloom::ui
