// Blocks: how parallel is each block of the range?
#pragma once

#include "docks/dock.h"

#include <optional>

class QLineEdit;
class QSplitter;

namespace blockloom::ui {

class BlocksModel;
class BlockTotalsModel;
class Session;
class SortedRows;
class Table;

class BlocksDock : public Dock {
    Q_OBJECT

public:
    explicit BlocksDock(Session* session, QWidget* parent = nullptr);
    [[nodiscard]] Table* table() const { return table_; }
    [[nodiscard]] QLineEdit* filterField() const { return filter_; }

Q_SIGNALS:
    /// First and last selected row of the session's range and the number of selected rows; −1:
    /// none.
    void rowsSelected(int first, int last, int selected);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showRange();
    void showColumns();
    [[nodiscard]] int sizesLacking() const;
    void giveRows();
    void showRow();
    void alignTotals();
    void spanLeftOut();
    void setFilter(const QString& text);

    Session* session_;
    BlocksModel* model_;
    BlockTotalsModel* totals_model_;
    SortedRows* rows_;
    Table *table_, *totals_;
    QLineEdit* filter_;
    QSplitter* split_ = nullptr;
    bool split_moved_ = false; ///< by the user
    bool following_ = false;
    std::optional<bool> executed_; ///< whether the column widths suit an executed range
};

} // namespace blockloom::ui
