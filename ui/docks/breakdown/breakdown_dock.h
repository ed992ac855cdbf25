// Where the time of a kept run went, beside a second one: verdict, phases of the run and of each
// block, busy and wall time, speed-up by number of workers with the laws fitted to it, and the gap
// between work and wall time.
#pragma once

#include "base/result.h"
#include "docks/dock.h"
#include "report/scaling_chart.h"

#include <memory>
#include <string>
#include <vector>

class QButtonGroup;
class QComboBox;
class QLabel;
class QStackedWidget;

namespace blockloom::ui {

class BackgroundWork;
class BreakdownModel;
class ChartPage;
class ChartView;
class FittingLabel;
struct BreakdownFigures;
class Runs;
class StatusBadge;
class Table;

class BreakdownDock : public Dock {
    Q_OBJECT

public:
    enum class Page { phases, blocks, busy, speedup, gap };

    explicit BreakdownDock(Runs* runs, QWidget* parent = nullptr);
    [[nodiscard]] ChartView* chart() const { return chart_; }
    [[nodiscard]] Table* table() const { return table_; }
    [[nodiscard]] StatusBadge* badge() const { return badge_; }
    [[nodiscard]] QString verdict() const;
    [[nodiscard]] ChartPage* page(Page page) const; ///< null: the phases
    [[nodiscard]] ChartView* shownChart() const;    ///< the visible page's chart
    [[nodiscard]] report::ScalingLaw law() const { return law_; }
    [[nodiscard]] bool working() const; ///< figures are still being computed

protected:
    void changeEvent(QEvent* event) override;

private:
    QWidget* makePhases();
    void makePages();
    void showLists();
    void showCompared();
    void findFigures();
    void showFigures();
    void showParts();
    void showBusy();
    void showScaling();
    void exportPage();

    Runs* runs_;
    BackgroundWork* work_;
    /// Null: being computed, or nothing is chosen.
    std::shared_ptr<const BreakdownFigures> figures_;
    std::vector<std::string> gathered_; ///< folder and ids of the runs of `figures_`
    report::ScalingLaw law_ = report::ScalingLaw::amdahl;
    QButtonGroup *parts_, *laws_, *busy_of_;
    QStackedWidget* stack_;
    ChartPage *blocks_, *busy_, *speedup_, *gap_;
    QLabel* words_;
    QComboBox *a_, *b_;
    StatusBadge* badge_;
    QLabel* verdict_;
    FittingLabel* interval_;
    ChartView* chart_;      ///< shows the phases
    bool as_table_ = false; ///< the charts are shown as tables
    BreakdownModel* model_;
    Table* table_;
};

} // namespace blockloom::ui
