// The differences between a replay and a node's records, as a table.
#pragma once

#include "look/table.h"
#include "range/check_result.h"

#include <QAbstractTableModel>

#include <memory>
#include <optional>

namespace blockloom::ui {

/// Rows: the listed differences, in the order of the blocks.
class CheckModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Block, Transaction, Protostone, Event, Field, Key, Node, Replay, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    /// Null: no rows.
    void setCheck(std::shared_ptr<const range::NodeCheck> check);
    /// Null: there is no such row.
    [[nodiscard]] const range::CheckDifference* at(int row) const;
    [[nodiscard]] QStringList fields() const; ///< that occur, sorted

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    std::shared_ptr<const range::NodeCheck> check_;
};

/// Rows of a CheckModel that have a field and a block, and match a text (SortedRows).
class CheckRows : public SortedRows {
    Q_OBJECT

public:
    using SortedRows::SortedRows;
    void setField(const QString& field); ///< empty: all
    void setBlock(std::optional<quint64> height);

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    QString field_;
    std::optional<quint64> height_;
};

} // namespace blockloom::ui
