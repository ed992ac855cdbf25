// Advice: what limits the kept run, ranked, with a button that tries what would help.
#pragma once

#include "docks/dock.h"

class QLabel;
class QPushButton;

namespace blockloom::ui {

class AdviceModel;
class PanelBar;
class Runs;
class Session;
class SortedRows;
class Table;
class WhatIfs;

class AdviceDock : public Dock {
    Q_OBJECT

public:
    AdviceDock(Session* session, Runs* runs, QWidget* parent = nullptr);
    [[nodiscard]] Table* table() const { return table_; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    void showAdvice();
    void showButton();
    void tryIt();
    [[nodiscard]] int currentRow() const; ///< of the model; −1: none

    WhatIfs* what_ifs_;
    AdviceModel* model_;
    SortedRows* rows_;
    Table* table_;
    PanelBar* bar_;
    QLabel* about_;
    QPushButton* try_;
};

} // namespace blockloom::ui
