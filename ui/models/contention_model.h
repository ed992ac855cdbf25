// Keys ranked by what relaxing them would gain, each with a tick box that relaxes it.
#pragma once

#include "look/roles.h"
#include "range/range.h"
#include "runs/what_if.h"

#include <QAbstractTableModel>
#include <QHash>

#include <memory>
#include <optional>

namespace blockloom::ui {

/// Rows: first the keys that the policy relaxes individually (the analysis no longer contains them,
/// so their earlier figures are kept), then the analysis's keys by gain, then by how predictable
/// they are, then by conflict pairs. Ticking emits `relaxRequested`; the tick appears once the
/// policy has changed.
class ContentionModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Relax, Key, Kind, ReadersWriters, Pairs, Predictable, Gain, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setBlock(std::shared_ptr<const range::BlockRecord> record, const trace::KeyPolicy& policy);
    /// What a kept run says of keys (runs/what_if.h), over all its blocks; empty: nothing is known.
    void setKnown(const std::vector<runs::WhatIfKey>& keys);

    [[nodiscard]] QString keyAt(int row) const; ///< printable
    [[nodiscard]] std::optional<quint32> idAt(int row) const;
    [[nodiscard]] int rowOf(quint32 key) const; ///< −1: not listed

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

Q_SIGNALS:
    void relaxRequested(const QString& printableKey, bool relaxed);

private:
    struct Row {
        QString key;
        bool relaxed = false;
        std::optional<conflict::KeyContention> found;
    };
    [[nodiscard]] std::vector<Row> rowsOf(const trace::KeyPolicy& policy);

    std::shared_ptr<const range::BlockRecord> record_;
    std::vector<Row> rows_;
    void place(std::vector<Row> rows);

    trace::KeyPolicy policy_;
    QHash<QString, runs::WhatIfKey> known_;
    QHash<QString, conflict::KeyContention> seen_; ///< of this block, under any rules
    std::shared_ptr<const trace::BlockTrace> seen_of_;
    double most_gain_ = 1;
};

/// The name of a kind of key: "Account balance" for "balance".
[[nodiscard]] QString kind_words(const QString& kind);

} // namespace blockloom::ui
