// The blocks of a range as a table, and their totals as a table of one row.
#pragma once

#include "range/range.h"

#include <QAbstractTableModel>

#include <memory>

namespace blockloom::ui {

/// Rows: the blocks in chain order, then what was left out (stale blocks, unreadable files), with a
/// reason instead of figures. Values come from the engine; the model only formats them.
class BlocksModel : public QAbstractTableModel {
    Q_OBJECT

public:
    /// Messages, Reverted and Fuel apply to executed blocks only.
    enum Column {
        Status,
        Block,
        Tasks,
        Messages,
        Reverted,
        Fuel,
        Pairs,
        Levels,
        LevelSizes,
        Parallelism,
        ColumnCount
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setRange(std::shared_ptr<const range::Range> range); ///< null: empty
    /// The current block under new rules, which is ready before the range.
    void setRecord(int row, std::shared_ptr<const range::BlockRecord> record);

    [[nodiscard]] int blockCount() const;
    [[nodiscard]] bool isBlock(int row) const { return row >= 0 && row < blockCount(); }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    [[nodiscard]] static QVariant executedData(const range::BlockRecord& record, int column,
                                               int role);
    [[nodiscard]] QVariant blockData(const range::BlockRecord& record, int column, int role) const;
    [[nodiscard]] static QVariant leftOutData(const range::LeftOut& out, int column, int role);
    void rescale();

    std::shared_ptr<const range::Range> range_;
    std::vector<std::shared_ptr<const range::BlockRecord>> records_;
    double most_parallel_ = 1;
};

/// One row below the table: Σ over the blocks.
class BlockTotalsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;
    void setRange(std::shared_ptr<const range::Range> range);
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    std::shared_ptr<const range::Range> range_;
};

} // namespace blockloom::ui
