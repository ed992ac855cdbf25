// Compare: two kept runs of the same inputs, side by side, with a verdict.
#pragma once

#include "docks/compare/pair_cell.h"
#include "docks/dock.h"
#include "profile/bootstrap.h"
#include "runs/gap_waterfall.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

class QButtonGroup;
class QLabel;
class QPushButton;
class QToolButton;

namespace blockloom::ui {

class ChartView;
class CompareModel;
class DivergenceSearch;
class BackgroundWork;
class FittingLabel;
class LegendStrip;
class PanelBar;
class RunCard;
class Runs;
class Session;
class SortedRows;
class StatusBadge;
class Table;

class CompareDock : public Dock {
    Q_OBJECT

public:
    CompareDock(Session* session, Runs* runs, QWidget* parent = nullptr);
    [[nodiscard]] CompareModel* model() const { return model_; }
    [[nodiscard]] Table* table() const { return table_; }
    [[nodiscard]] StatusBadge* badge() const { return badge_; }
    [[nodiscard]] QString verdict() const;  ///< "B is 1.92× faster, end to end"
    [[nodiscard]] QString interval() const; ///< the interval behind it, or why there is none
    /// Goes to the block and, if known, the task in which the runs diverge.
    void showDivergence();
    [[nodiscard]] DivergenceSearch* search() const { return search_; }

Q_SIGNALS:
    void reportRequested(const QStringList& ids); ///< of A and B

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void makeHead(QWidget* body);
    PanelBar* makeBar(QWidget* body);
    void showChosen();
    void showEmptyPage();
    void showComparison();
    void showPart(int part);
    void showView(int view);
    void showColumns();
    void showLegend();
    void showBlockOf(const QModelIndex& index);
    void fitHead();
    void showRatio(std::optional<double> ratio, std::optional<profile::Interval> interval);
    void showApart();
    void findGap();
    void askReport();

    Session* session_;
    Runs* runs_;
    RunCard *a_, *b_;
    QToolButton* swap_;
    QWidget *verdict_strip_, *apart_;
    StatusBadge* badge_;
    QLabel* verdict_;
    FittingLabel* interval_;
    QLabel *digest_, *notes_, *apart_words_;
    QPushButton *apart_button_, *find_button_;
    DivergenceSearch* search_;
    BackgroundWork* work_;            ///< reads the spans of both runs
    std::vector<std::string> gap_of_; ///< the runs that the gap in the model is of
    std::shared_ptr<const runs::GapDifference> gap_;
    ChartView* ratio_;
    QButtonGroup *parts_, *views_;
    CompareModel* model_;
    SortedRows* rows_;
    Table* table_;
    PairCell* cell_;
    LegendStrip* legend_;
    bool narrow_ = false;
    PairView view_ = PairView::side_by_side;
};

} // namespace blockloom::ui
