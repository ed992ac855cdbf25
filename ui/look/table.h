// The table that all panels use: row selection, sorting by value, filtering by regex, copying as
// TSV, all by keyboard.
#pragma once

#include <QSortFilterProxyModel>
#include <QTableView>

#include <functional>

namespace blockloom::ui {

/// Sorts by SortRole. Rows with a rank keep their place at the top or the end in every order.
class SortedRows : public QSortFilterProxyModel {
    Q_OBJECT

public:
    explicit SortedRows(QObject* parent = nullptr);
    /// Rank of a source row; lower ranks stay above higher ones in every order.
    void setRank(std::function<int(int sourceRow)> rank);
    /// An empty text or a case-insensitive regular expression that any column may match. False: not
    /// a valid expression; the filter is unchanged.
    bool setFilterText(const QString& text);

protected:
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    std::function<int(int)> rank_;
};

/// No column is narrower than its header's text unless the user resizes it.
class Table : public QTableView {
    Q_OBJECT

public:
    explicit Table(const QString& accessibleName, QWidget* parent = nullptr);

    void setModel(QAbstractItemModel* rows) override;
    void setRowHeight(int pixels); ///< 26, or 36 for two lines
    /// Width at which the column's header is not cut.
    [[nodiscard]] int headerWidth(int column) const;
    /// Width at which the column's laid-out cells are not cut.
    [[nodiscard]] int contentWidth(int column) const { return sizeHintForColumn(column); }
    /// Columns whose cells are widened until they are not cut, as far as the stretched column keeps
    /// `least` pixels; a column that the user resizes stays as it is.
    void setFitted(const QList<int>& columns, int least);
    /// The selected rows below a line of headers, with cells separated by tabs (CopyRole, else
    /// text).
    [[nodiscard]] QString selectedAsText() const;
    [[nodiscard]] QString wholeAsText() const; ///< every row, in the displayed order

public Q_SLOTS:
    void copy() const; ///< the selected rows, or all rows if none are selected
    void copyAll() const;

Q_SIGNALS:
    void chosen(const QModelIndex& index); ///< the current row changed, by click or key

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

private:
    void fitHeader(int section);
    void fitHeaders();
    void fitChangedHeaders(); ///< columns whose header needs more room than before: another unit
    void fitCells();
    [[nodiscard]] QString asText(const QList<int>& rows) const;

    QList<int> header_widths_; // that the texts of the headers needed last
    QList<int> fitted_;
    int least_ = 0;
    bool fitting_ = false;
};

} // namespace blockloom::ui
