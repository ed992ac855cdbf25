#include "models/check_model.h"

#include "look/roles.h"
#include "text/numbers.h"
#include "text/to_qt.h"

namespace blockloom::ui {

void CheckModel::setCheck(std::shared_ptr<const range::NodeCheck> check) {
    beginResetModel();
    check_ = std::move(check);
    endResetModel();
}

const range::CheckDifference* CheckModel::at(int row) const {
    return row >= 0 && row < rowCount() ? &check_->differences[static_cast<std::size_t>(row)]
                                        : nullptr;
}

QStringList CheckModel::fields() const {
    QStringList fields;
    for (int row = 0; row < rowCount(); ++row) fields.append(to_qt(at(row)->field));
    fields.removeDuplicates();
    fields.sort();
    return fields;
}

int CheckModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !check_ ? 0 : static_cast<int>(check_->differences.size());
}

int CheckModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant CheckModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const range::CheckDifference& row = *at(index.row());
    const int column = index.column();
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(
            Qt::Alignment(Qt::AlignVCenter | (column < Field ? Qt::AlignRight : Qt::AlignLeft)));
    const bool text = role == Qt::DisplayRole || role == CopyRole || role == SortRole;
    const auto number = [role, text](std::optional<std::uint64_t> value) -> QVariant {
        if (role == SortRole) return value ? static_cast<qlonglong>(*value) : qlonglong{-1};
        if (!text) return {};
        if (!value) return not_applicable();
        return role == CopyRole ? QString::number(*value) : count_text(*value);
    };
    const auto words = [role, text](const std::string& value) -> QVariant {
        return text || role == Qt::ToolTipRole ? QVariant(to_qt(value)) : QVariant();
    };
    switch (column) {
    case Block:
        // As the Blocks panel writes it.
        return text && role != SortRole ? QVariant(QString::number(row.height))
                                        : number(row.height);
    case Transaction:
        if (role == Qt::ToolTipRole && !row.txid.empty()) return to_qt(row.txid);
        return number(row.transaction);
    case Protostone:
        return number(row.protostone);
    case Event:
        return number(row.event);
    case Field:
        return words(row.field);
    case Key:
        return words(row.key);
    case Node:
        return words(row.node);
    case Replay:
        return words(row.replay);
    default:
        return {};
    }
}

QVariant CheckModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(
            Qt::Alignment(Qt::AlignVCenter | (section < Field ? Qt::AlignRight : Qt::AlignLeft)));
    static const struct {
        const char *name, *tip;
    } heads[ColumnCount] = {
        {QT_TR_NOOP("Block"), QT_TR_NOOP("Height of the block")},
        {QT_TR_NOOP("Transaction"), QT_TR_NOOP("Its place in the block, from 0")},
        {QT_TR_NOOP("Protostone"), QT_TR_NOOP("The message's place in its transaction, from 0")},
        {QT_TR_NOOP("Event"), QT_TR_NOOP("The place in the message's trace, from 0")},
        {QT_TR_NOOP("Field"), QT_TR_NOOP("What differs")},
        {QT_TR_NOOP("Key"), QT_TR_NOOP("The key whose value differs")},
        {QT_TR_NOOP("Node"), QT_TR_NOOP("What the node recorded")},
        {QT_TR_NOOP("Replay"), QT_TR_NOOP("What the replay did")}};
    if (role == Qt::DisplayRole) return tr(heads[section].name);
    if (role == Qt::ToolTipRole) return tr(heads[section].tip);
    return {};
}

void CheckRows::setField(const QString& field) {
    field_ = field;
    invalidateFilter();
}

void CheckRows::setBlock(std::optional<quint64> height) {
    height_ = height;
    invalidateFilter();
}

bool CheckRows::filterAcceptsRow(int row, const QModelIndex& parent) const {
    if (const auto* model = qobject_cast<const CheckModel*>(sourceModel())) {
        const range::CheckDifference* const at = model->at(row);
        if (at == nullptr || (!field_.isEmpty() && to_qt(at->field) != field_)) return false;
        if (height_ && at->height != *height_) return false;
    }
    return SortedRows::filterAcceptsRow(row, parent);
}

} // namespace blockloom::ui
