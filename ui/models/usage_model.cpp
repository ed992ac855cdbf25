#include "models/usage_model.h"

#include "text/numbers.h"
#include "text/to_qt.h"

#include <algorithm>

namespace blockloom::ui {

using profile::Quantity;

bool is_share(Quantity quantity) {
    return quantity == Quantity::process_cpu || quantity == Quantity::machine_cpu ||
           quantity == Quantity::device_busy;
}

QString quantity_words(Quantity quantity) {
    switch (quantity) {
    case Quantity::tried:
        return UsageModel::tr("transactions tried");
    case Quantity::tasks:
        return UsageModel::tr("tasks of finished blocks");
    case Quantity::blocks:
        return UsageModel::tr("blocks finished");
    case Quantity::process_cpu:
        return UsageModel::tr("processor, this program");
    case Quantity::machine_cpu:
        return UsageModel::tr("processor, all programs");
    case Quantity::process_memory:
        return UsageModel::tr("memory, this program");
    case Quantity::machine_memory:
        return UsageModel::tr("memory, all programs");
    case Quantity::device_busy:
        return UsageModel::tr("busy");
    case Quantity::device_memory:
        return UsageModel::tr("memory in use");
    case Quantity::temperature:
        return UsageModel::tr("temperature");
    case Quantity::power:
        return UsageModel::tr("power");
    case Quantity::count:
        break;
    }
    return {};
}

QString usage_text(Quantity quantity, double value) {
    if (is_share(quantity)) return percent_text(value / 1000);
    switch (quantity) {
    case Quantity::process_memory:
    case Quantity::machine_memory:
    case Quantity::device_memory:
        return size_text(static_cast<std::uint64_t>(std::max(value, 0.0)));
    case Quantity::temperature:
        return UsageModel::tr("%1 °C").arg(significant_text(value / 1000));
    case Quantity::power:
        return UsageModel::tr("%1 W").arg(significant_text(value / 1000));
    default:
        return count_text(static_cast<std::uint64_t>(std::max(value, 0.0)));
    }
}

void UsageModel::setUsage(std::shared_ptr<const profile::UsageSeries> usage) {
    if (usage == usage_) return;
    std::vector<std::size_t> told;
    if (usage != nullptr)
        for (std::size_t i = 0; i < usage->lines.size(); ++i)
            if (usage->lines[i].is_told()) told.push_back(i);
    const std::size_t had = usage_ == nullptr ? 0 : usage_->at.size();
    const std::size_t has = usage == nullptr ? 0 : usage->at.size();
    // Grown by some moments: what is selected stays so.
    const bool grown = usage_ != nullptr && usage != nullptr && told == told_ && has > had &&
                       std::equal(usage_->at.begin(), usage_->at.end(), usage->at.begin());
    if (grown) {
        beginInsertRows({}, 0, static_cast<int>(has - had) - 1);
        usage_ = std::move(usage);
        endInsertRows();
        return;
    }
    beginResetModel();
    usage_ = std::move(usage);
    told_ = std::move(told);
    endResetModel();
}

int UsageModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || usage_ == nullptr ? 0 : static_cast<int>(usage_->at.size());
}

int UsageModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : 1 + static_cast<int>(told_.size());
}

std::size_t UsageModel::momentOf(int row) const {
    return usage_->at.size() - 1 - static_cast<std::size_t>(row);
}

QVariant UsageModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const std::size_t moment = momentOf(index.row());
    if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != CopyRole && role != SortRole) return {};
    if (index.column() == 0) {
        if (role == Qt::DisplayRole) return time_text(usage_->at[moment]);
        return QVariant::fromValue(static_cast<qlonglong>(usage_->at[moment]));
    }
    const auto& line = usage_->lines[told_[static_cast<std::size_t>(index.column() - 1)]];
    const std::int64_t value = line.values[moment];
    if (value == profile::untold)
        return role == Qt::DisplayRole ? QVariant(not_applicable()) : QVariant();
    if (role == Qt::DisplayRole) return usage_text(line.quantity, static_cast<double>(value));
    return QVariant::fromValue(static_cast<qlonglong>(value)); // in the line's own unit
}

QVariant UsageModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
    if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
    if (section == 0) return tr("Since the start");
    const auto& line = usage_->lines[told_[static_cast<std::size_t>(section - 1)]];
    const QString words = quantity_words(line.quantity);
    if (role == Qt::DisplayRole) {
        QString title = words;
        title[0] = title[0].toUpper();
        return title;
    }
    return line.quantity >= Quantity::device_busy ? tr("%1: %2").arg(to_qt(line.of), words) : words;
}

} // namespace blockloom::ui
