// Contention: which keys stand in the way, and what relaxing one would gain.
#pragma once

#include "docks/dock.h"

class QLabel;
class QPushButton;
class QToolButton;

namespace blockloom::ui {

class ContentionModel;
class Session;
class SortedRows;
class Table;

class ContentionDock : public Dock {
    Q_OBJECT

public:
    explicit ContentionDock(Session* session, QWidget* parent = nullptr);
    [[nodiscard]] Table* table() const { return table_; }

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
    QPushButton* undo_;
    QToolButton* redo_;
    bool following_ = false;
};

} // namespace blockloom::ui
