// The kept runs as a table.
#pragma once

#include "look/roles.h"
#include "runs/run_figures.h"

#include <QAbstractTableModel>

#include <vector>

namespace blockloom::ui {

/// Rows: kept runs, newest first. Times share one unit, named in the header.
class RunsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column {
        Verified,
        Compared,
        Run,
        Source,
        How,
        Blocks,
        Tasks,
        Time,
        Speedup,
        Digest,
        Baseline,
        Note,
        ColumnCount
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setRuns(std::vector<runs::KeptRun> runs);
    void setCompared(const QString& a, const QString& b); ///< ids; empty: none
    [[nodiscard]] QString idAt(int row) const;
    [[nodiscard]] int rowOf(const QString& id) const; ///< −1: not listed

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

Q_SIGNALS:
    void noteEdited(const QString& id, const QString& note);
    void baselineEdited(const QString& id, const QString& name);

private:
    [[nodiscard]] QString shown(const runs::KeptRun& run, int column) const;
    [[nodiscard]] QString whole(const runs::KeptRun& run, int column) const;

    std::vector<runs::KeptRun> runs_;
    std::vector<std::optional<double>> speedups_;
    QString a_, b_;
    QString unit_;
    double unit_ns_ = 1;
};

} // namespace blockloom::ui
