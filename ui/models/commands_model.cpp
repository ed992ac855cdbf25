#include "models/commands_model.h"

#include <algorithm>
#include <utility>

namespace blockloom::ui {

int misfit(const Command& command, const QString& typed) {
    const QString name = command.text + QLatin1Char(' ') + command.group;
    int sum = 0;
    for (const QString& word : typed.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const qsizetype at = name.indexOf(word, 0, Qt::CaseInsensitive);
        if (at < 0) return -1;
        const bool begins = at == 0 || !name.at(at - 1).isLetterOrNumber();
        sum += static_cast<int>(std::min<qsizetype>(at, 40)) + (begins ? 0 : 50);
    }
    return sum;
}

void CommandsModel::setCommands(QList<Command> commands) {
    commands_ = std::move(commands);
    setTyped({});
}

void CommandsModel::setTyped(const QString& typed) {
    beginResetModel();
    QList<std::pair<int, qsizetype>> fitting;
    for (qsizetype i = 0; i < commands_.size(); ++i) {
        const int rank = misfit(commands_.at(i), typed);
        if (rank >= 0) fitting.append({rank + (commands_.at(i).enabled ? 0 : 10'000), i});
    }
    std::stable_sort(fitting.begin(), fitting.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    shown_.clear();
    for (const auto& [rank, i] : fitting) shown_.append(i);
    endResetModel();
}

const Command* CommandsModel::at(int row) const {
    return row >= 0 && row < shown_.size() ? &commands_.at(shown_.at(row)) : nullptr;
}

int CommandsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(shown_.size());
}

int CommandsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant CommandsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Command& command = *at(index.row());
    if (role == Qt::TextAlignmentRole)
        return int((index.column() == Keys ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::AccessibleTextRole && index.column() == What && !command.enabled)
        return tr("%1, unavailable now").arg(command.text);
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole) return {};
    return index.column() == What    ? command.text
           : index.column() == Where ? command.group
                                     : command.keys;
}

QVariant CommandsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    return section == What ? tr("Command") : section == Where ? tr("Where") : tr("Keys");
}

Qt::ItemFlags CommandsModel::flags(const QModelIndex& index) const {
    const Command* command = at(index.row());
    if (command == nullptr || !command->enabled) return Qt::NoItemFlags;
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable;
}

} // namespace blockloom::ui
