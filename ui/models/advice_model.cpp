#include "models/advice_model.h"

#include "text/numbers.h"
#include "text/to_qt.h"

#include <algorithm>

namespace blockloom::ui {

void AdviceModel::setAdvice(
    std::shared_ptr<const WhatIfBase> base,
    const std::function<const WhatIfMeasured*(const runs::WhatIfPlan&)>& measured) {
    const bool same = base == base_;
    if (!same) beginResetModel();
    base_ = std::move(base);
    measured_.clear();
    most_gain_ = 1;
    if (base_)
        for (const runs::Advice& one : base_->advice) {
            const WhatIfMeasured* const replay = measured(one.plan);
            measured_.push_back(replay == nullptr ? std::nullopt : std::optional(*replay));
            most_gain_ = std::max(most_gain_, one.gain());
        }
    if (!same)
        endResetModel();
    else if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, Measured), index(rowCount() - 1, Measured));
}

const runs::Advice* AdviceModel::adviceAt(int row) const {
    if (row < 0 || row >= rowCount()) return nullptr;
    return &base_->advice[static_cast<std::size_t>(row)];
}

int AdviceModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !base_ ? 0 : static_cast<int>(base_->advice.size());
}

int AdviceModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant AdviceModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const runs::Advice& advice = base_->advice[static_cast<std::size_t>(index.row())];
    const std::optional<WhatIfMeasured>& replay = measured_[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    const bool text = role == Qt::DisplayRole || role == CopyRole;
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(
            Qt::Alignment(Qt::AlignVCenter | (column == Gain ? Qt::AlignRight : Qt::AlignLeft)));
    switch (column) {
    case Gain:
        if (role == BarRole) return QVariant::fromValue(Bar{advice.gain(), most_gain_, true});
        if (role == SortRole) return advice.gain();
        if (text) return ratio_text(advice.gain());
        if (role == Qt::ToolTipRole || role == Qt::AccessibleTextRole)
            return tr("%1: %2 → %3, predicted")
                .arg(ratio_text(advice.gain()), time_text(advice.before),
                     time_text(advice.predicted));
        break;
    case Limit:
        if (role == Qt::DisplayRole || role == SortRole) return to_qt(advice.limit);
        if (role == DetailRole) return to_qt(advice.figure);
        if (role == CopyRole || role == Qt::ToolTipRole || role == Qt::AccessibleTextRole)
            return tr("%1: %2").arg(to_qt(advice.limit), to_qt(advice.figure));
        break;
    case WhatIf:
        if (text || role == SortRole) return to_qt(text_of(advice.plan));
        if (role == Qt::ToolTipRole)
            return advice.why_not.empty() ? tr("Can be verified by replay")
                                          : tr("Cannot be replayed: %1").arg(to_qt(advice.why_not));
        break;
    case Measured:
        if (!replay) {
            if (text) return not_applicable();
            if (role == SortRole) return -1.0;
            break;
        }
        if (role == SortRole) return static_cast<double>(replay->wall.measured);
        if (text) return time_text(replay->wall.measured);
        if (role == Qt::ToolTipRole || role == Qt::AccessibleTextRole)
            return tr("Wall time %1; executions %2; run %3")
                .arg(to_qt(text_of(replay->wall)), to_qt(text_of(replay->execute)), replay->run);
        break;
    default:
        break;
    }
    return {};
}

QVariant AdviceModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) return {};
    static const struct {
        const char *name, *tip;
    } heads[ColumnCount] = {
        {QT_TR_NOOP("Gain, predicted"),
         QT_TR_NOOP("Wall time of the run re-scheduled as it was / as planned; log scale")},
        {QT_TR_NOOP("What limits the run"), QT_TR_NOOP("And the figure that this rests on")},
        {QT_TR_NOOP("What if"), QT_TR_NOOP("The change that the gain was computed for")},
        {QT_TR_NOOP("Measured"), QT_TR_NOOP("Wall time of its replay")}};
    if (role == Qt::DisplayRole) return tr(heads[section].name);
    if (role == Qt::ToolTipRole) return tr(heads[section].tip);
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | Qt::AlignLeft));
    return {};
}

} // namespace blockloom::ui
