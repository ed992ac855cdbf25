// Activity and resource use of a run over time: the table twin of the usage chart.
#pragma once

#include "look/roles.h"
#include "profile/usage.h"

#include <QAbstractTableModel>

#include <memory>
#include <vector>

namespace blockloom::ui {

/// Rows: the moments, newest first. Columns: the time, then each recorded line. During a run, rows
/// are added at the top; nothing else changes.
class UsageModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void setUsage(std::shared_ptr<const profile::UsageSeries> usage);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] std::size_t momentOf(int row) const;

    std::shared_ptr<const profile::UsageSeries> usage_;
    std::vector<std::size_t> available_; ///< lines that are columns
};

/// "processor", "temperature": the name of a quantity in charts and tables.
[[nodiscard]] QString quantity_words(profile::Quantity quantity);
/// A value in its unit: "81.2 %", "1.14 MiB", "41 °C", "123 W", "1,204".
[[nodiscard]] QString usage_text(profile::Quantity quantity, double value);

} // namespace blockloom::ui
