#include "models/usage_model.h"

#include "report/live_charts.h"
#include "text/numbers.h"
#include "text/to_qt.h"

#include <algorithm>

namespace blockloom::ui {

using profile::Quantity;

QString quantity_words(Quantity quantity) {
    return QString::fromUtf8(report::words_of(quantity));
}

QString usage_text(Quantity quantity, double value) {
    return to_qt(report::value_text(quantity, value));
}

void UsageModel::setUsage(std::shared_ptr<const profile::UsageSeries> usage) {
    if (usage == usage_) return;
    std::vector<std::size_t> available;
    if (usage != nullptr)
        for (std::size_t i = 0; i < usage->lines.size(); ++i)
            if (usage->lines[i].is_available()) available.push_back(i);
    const std::size_t had = usage_ == nullptr ? 0 : usage_->at.size();
    const std::size_t has = usage == nullptr ? 0 : usage->at.size();
    // Only some moments were added: the selection stays.
    const bool grown = usage_ != nullptr && usage != nullptr && available == available_ &&
                       has > had &&
                       std::equal(usage_->at.begin(), usage_->at.end(), usage->at.begin());
    if (grown) {
        beginInsertRows({}, 0, static_cast<int>(has - had) - 1);
        usage_ = std::move(usage);
        endInsertRows();
        return;
    }
    beginResetModel();
    usage_ = std::move(usage);
    available_ = std::move(available);
    endResetModel();
}

int UsageModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || usage_ == nullptr ? 0 : static_cast<int>(usage_->at.size());
}

int UsageModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : 1 + static_cast<int>(available_.size());
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
    const auto& line = usage_->lines[available_[static_cast<std::size_t>(index.column() - 1)]];
    const std::int64_t value = line.values[moment];
    if (value == profile::no_value)
        return role == Qt::DisplayRole ? QVariant(not_applicable()) : QVariant();
    if (role == Qt::DisplayRole) return usage_text(line.quantity, static_cast<double>(value));
    return QVariant::fromValue(static_cast<qlonglong>(value)); // in the line's own unit
}

QVariant UsageModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
    if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
    if (section == 0) return tr("Since the start");
    const auto& line = usage_->lines[available_[static_cast<std::size_t>(section - 1)]];
    const QString words = quantity_words(line.quantity);
    if (role == Qt::DisplayRole) {
        QString title = words;
        title[0] = title[0].toUpper();
        return title;
    }
    return line.quantity >= Quantity::device_busy ? tr("%1: %2").arg(to_qt(line.of), words) : words;
}

} // namespace blockloom::ui
