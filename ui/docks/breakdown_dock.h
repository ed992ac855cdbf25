// Where the time of a kept run went, beside a second one: verdict, bars, phases.
#pragma once

#include "docks/dock.h"

class QComboBox;
class QLabel;

namespace blockloom::ui {

class BreakdownChart;
class BreakdownModel;
class LegendStrip;
class Runs;
class StatusBadge;
class Table;

class BreakdownDock : public Dock {
    Q_OBJECT

public:
    explicit BreakdownDock(Runs* runs, QWidget* parent = nullptr);
    [[nodiscard]] BreakdownChart* chart() const { return chart_; }
    [[nodiscard]] Table* table() const { return table_; }
    [[nodiscard]] StatusBadge* badge() const { return badge_; }
    [[nodiscard]] QString verdict() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void showLists();
    void showCompared();
    void showLegend();

    Runs* runs_;
    QComboBox *a_, *b_;
    StatusBadge* badge_;
    QLabel *verdict_, *interval_;
    BreakdownChart* chart_;
    LegendStrip* legend_;
    BreakdownModel* model_;
    Table* table_;
};

} // namespace blockloom::ui
