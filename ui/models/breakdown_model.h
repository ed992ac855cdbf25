// Two runs phase by phase: the table twin of the breakdown.
#pragma once

#include "look/roles.h"
#include "models/run_words.h"

#include <QAbstractTableModel>

#include <optional>

namespace blockloom::ui {

/// Rows: the phases in their order, then their sum. B may be absent.
class BreakdownModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Phase, Where, A, ShareA, B, ShareB, Against, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setRuns(std::optional<runs::KeptRun> a, std::optional<runs::KeptRun> b);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QString shown(int row, int column) const;
    [[nodiscard]] QString where(int row) const;
    [[nodiscard]] static Nanoseconds time(const std::optional<runs::KeptRun>& run, int row);

    std::optional<runs::KeptRun> a_, b_;
    TimeUnit unit_;
};

} // namespace blockloom::ui
