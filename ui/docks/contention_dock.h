// Contention: which keys stand in the way, and what relaxing one would gain.
#pragma once

#include "docks/dock.h"

class QLabel;
class QPushButton;
class QToolButton;

namespace blockloom::ui {

class ContentionModel;
class Runs;
class Session;
class SortedRows;
class Table;
class WhatIfStrip;
class WhatIfs;

class ContentionDock : public Dock {
    Q_OBJECT

public:
    /// Without what-ifs.
    explicit ContentionDock(Session* session, QWidget* parent = nullptr);
    ContentionDock(Session* session, Runs* runs, QWidget* parent = nullptr);
    [[nodiscard]] Table* table() const { return table_; }
    [[nodiscard]] WhatIfStrip* strip() const { return strip_; } ///< null: there are no what-ifs

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showBlock();
    void showSelection();
    void nameUndo();

    Session* session_;
    ContentionModel* model_;
    SortedRows* rows_;
    Table* table_;
    WhatIfStrip* strip_ = nullptr;
    WhatIfs* what_ifs_ = nullptr;
    QPushButton* undo_;
    QToolButton* redo_;
    bool following_ = false, narrow_ = false;
};

} // namespace blockloom::ui
