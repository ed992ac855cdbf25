#include "models/log_model.h"

namespace blockloom::ui {
namespace {

Mark mark_of(const QString& level) {
    if (level == QLatin1StringView("error")) return Mark::error;
    return level == QLatin1StringView("warning") ? Mark::warning : Mark::none;
}

} // namespace

void LogModel::append(const QString& level, const QString& message, const QDateTime& when) {
    if (lines_.size() >= most) {
        beginRemoveRows({}, 0, 0);
        lines_.pop_front();
        endRemoveRows();
    }
    const int row = rowCount();
    beginInsertRows({}, row, row);
    lines_.push_back({when, level, message});
    endInsertRows();
}

void LogModel::clear() {
    beginResetModel();
    lines_.clear();
    endResetModel();
}

int LogModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(lines_.size());
}

int LogModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant LogModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Line& line = lines_[static_cast<std::size_t>(index.row())];
    const bool text = role == Qt::DisplayRole || role == CopyRole;
    switch (index.column()) {
    case Time:
        if (role == SortRole) return line.when;
        if (text) return line.when.toString(QStringLiteral("HH:mm:ss.zzz"));
        break;
    case Level:
        if (role == StatusRole) return QVariant::fromValue(mark_of(line.level));
        if (role == SortRole) return static_cast<int>(mark_of(line.level));
        if (text) return line.level;
        break;
    case Message:
        if (text || role == SortRole || role == Qt::ToolTipRole) return line.message;
        break;
    default:
        break;
    }
    return {};
}

QVariant LogModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case Time:
        return tr("Time");
    case Level:
        return tr("Level");
    case Message:
        return tr("Message");
    default:
        return {};
    }
}

} // namespace blockloom::ui
