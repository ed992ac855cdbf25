// Statistics of the spans of part of a run, one row per name.
#pragma once

#include "look/roles.h"
#include "models/run_words.h"
#include "profile/span_statistics.h"

#include <QAbstractTableModel>

#include <memory>
#include <optional>

namespace blockloom::ui {

class SpanKindsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Name, Count, Busy, Median, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    /// Null: none. Rows keep the order of the statistics, busiest first.
    void setStatistics(std::shared_ptr<const profile::Timeline> timeline,
                       std::shared_ptr<const profile::RangeStatistics> statistics);
    [[nodiscard]] const profile::KindStatistics* at(int row) const; ///< null: no such row
    [[nodiscard]] int rowOf(std::uint16_t name) const;              ///< −1: not listed

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::shared_ptr<const profile::Timeline> timeline_;
    std::shared_ptr<const profile::RangeStatistics> statistics_;
    TimeUnit busy_unit_, median_unit_;
};

} // namespace blockloom::ui
