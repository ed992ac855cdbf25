// The table that all panels use: whole rows, sort by value, filter by regex, copy as TSV, all by
// keyboard.
#pragma once

#include <QSortFilterProxyModel>
#include <QTableView>

#include <functional>

namespace blockloom::ui {

/// Sorts by SortRole. Rows for which `pinned` says so keep their place at the end (or the top),
/// whatever the order.
class SortedRows : public QSortFilterProxyModel {
    Q_OBJECT

public:
    explicit SortedRows(QObject* parent = nullptr);
    /// Rank of a source row; lower ranks stay above higher ones in every order.
    void setRank(std::function<int(int sourceRow)> rank);
    /// Empty or a regular expression, caseless, looked for in every column. False: it is none; the
    /// filter stays as it was.
    bool setFilterText(const QString& text);

protected:
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    std::function<int(int)> rank_;
};

/// No column is narrower than its header's text unless the user makes it so.
class Table : public QTableView {
    Q_OBJECT

public:
    explicit Table(const QString& accessibleName, QWidget* parent = nullptr);

    void setRowHeight(int pixels); ///< 26, or 36 for two lines
    /// What the column's header needs to be read whole.
    [[nodiscard]] int headerWidth(int column) const;
    /// What the column's cells need to be read whole, of those that are laid out.
    [[nodiscard]] int contentWidth(int column) const { return sizeHintForColumn(column); }
    /// The selected rows with a line of headers, cells separated by tabs (CopyRole, else text).
    [[nodiscard]] QString selectedAsText() const;
    [[nodiscard]] QString wholeAsText() const; ///< every row, in the order that is shown

public Q_SLOTS:
    void copy() const; ///< the selected rows; all where none is
    void copyAll() const;

Q_SIGNALS:
    void chosen(const QModelIndex& index); ///< the current row changed, by click or key

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

private:
    void fitHeader(int section);
    void fitHeaders();
    [[nodiscard]] QString asText(const QList<int>& rows) const;
};

} // namespace blockloom::ui
