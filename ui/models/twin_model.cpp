#include "models/twin_model.h"

#include "look/roles.h"
#include "look/theme_style.h"
#include "text/to_qt.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace blockloom::ui {
namespace {

std::size_t at(int position) {
    return static_cast<std::size_t>(position);
}

} // namespace

TwinModel::TwinModel(QObject* parent) : QAbstractTableModel(parent) {}

void TwinModel::setTable(std::shared_ptr<const scene::ViewTable> table) {
    beginResetModel();
    const bool same_columns =
        table_ && table && table_->columns().size() == table->columns().size();
    if (!same_columns) sorted_by_ = -1;
    table_ = std::move(table);
    rows_ = arranged();
    endResetModel();
}

void TwinModel::setFilter(const QString& text) {
    if (text == filter_) return;
    beginResetModel();
    filter_ = text;
    rows_ = arranged();
    endResetModel();
}

QString TwinModel::note() const {
    return table_ ? to_qt(table_->note()) : QString();
}

std::size_t TwinModel::allRows() const {
    return table_ ? table_->rows() : 0;
}

std::optional<quint32> TwinModel::task(int row) const {
    if (row < 0 || row >= rowCount()) return std::nullopt;
    return table_->task(rows_[at(row)]);
}

std::optional<quint32> TwinModel::key(int row) const {
    if (row < 0 || row >= rowCount()) return std::nullopt;
    return table_->key(rows_[at(row)]);
}

int TwinModel::rowOf(std::optional<quint32> task, std::optional<quint32> key) const {
    if (!task && !key) return -1;
    const auto found = std::find_if(rows_.begin(), rows_.end(), [&](std::uint32_t row) {
        return (task && table_->task(row) == task) || (key && table_->key(row) == key);
    });
    return found == rows_.end() ? -1 : static_cast<int>(found - rows_.begin());
}

int TwinModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int TwinModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() || !table_ ? 0 : static_cast<int>(table_->columns().size());
}

QVariant TwinModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount() || index.column() >= columnCount()) return {};
    const std::size_t row = rows_[at(index.row())], column = at(index.column());
    const scene::TableColumn& about = table_->columns()[column];
    switch (role) {
    case Qt::DisplayRole:
        return to_qt(table_->text(row, column));
    case Qt::ToolTipRole:
        return about.mono ? QVariant(to_qt(table_->text(row, column))) : QVariant();
    case Qt::AccessibleTextRole:
        return QStringLiteral("%1: %2").arg(to_qt(about.name), to_qt(table_->text(row, column)));
    case Qt::TextAlignmentRole:
        return QVariant(Qt::AlignVCenter | (about.number ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::FontRole:
        return about.mono ? QVariant(mono_font()) : QVariant();
    case SortRole: {
        const auto value = table_->value(row, column);
        return value ? QVariant(*value) : QVariant(to_qt(table_->text(row, column)));
    }
    case task_role: {
        const auto task = table_->task(row);
        return task ? QVariant(*task) : QVariant();
    }
    case key_role: {
        const auto key = table_->key(row);
        return key ? QVariant(*key) : QVariant();
    }
    default:
        return {};
    }
}

QVariant TwinModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
    const scene::TableColumn& about = table_->columns()[at(section)];
    if (role == Qt::DisplayRole) return to_qt(about.name);
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignVCenter | (about.number ? Qt::AlignRight : Qt::AlignLeft));
    return {};
}

void TwinModel::sort(int column, Qt::SortOrder order) {
    if (column >= columnCount() || (column == sorted_by_ && order == order_)) return;
    sorted_by_ = column;
    order_ = order;
    rearrange();
}

// Persistent indexes (the selection) stay on their rows.
void TwinModel::rearrange() {
    Q_EMIT layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const QModelIndexList held = persistentIndexList();
    const std::vector<std::uint32_t> before = std::exchange(rows_, arranged());
    std::vector<int> place(allRows(), -1);
    for (std::size_t i = 0; i < rows_.size(); ++i) place[rows_[i]] = static_cast<int>(i);
    for (const QModelIndex& index : held)
        changePersistentIndex(index, createIndex(place[before[at(index.row())]], index.column()));
    Q_EMIT layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

std::vector<std::uint32_t> TwinModel::arranged() const {
    std::vector<std::uint32_t> rows(allRows());
    std::iota(rows.begin(), rows.end(), 0U);
    if (!filter_.isEmpty()) {
        const std::size_t columns = table_ ? table_->columns().size() : 0;
        const auto misses = [&](std::uint32_t row) {
            for (std::size_t c = 0; c < columns; ++c)
                if (to_qt(table_->text(row, c)).contains(filter_, Qt::CaseInsensitive))
                    return false;
            return true;
        };
        rows.erase(std::remove_if(rows.begin(), rows.end(), misses), rows.end());
    }
    if (sorted_by_ < 0 || rows.empty()) return rows;
    // Keys once a row, not once a comparison: names are computed on demand.
    const std::size_t column = at(sorted_by_);
    const bool down = order_ == Qt::DescendingOrder;
    const auto by = [&](const auto& keys) {
        std::stable_sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
            return down ? keys[b] < keys[a] : keys[a] < keys[b];
        });
    };
    if (table_->columns()[column].number) {
        std::vector<double> keys(allRows());
        for (const std::uint32_t row : rows) keys[row] = table_->value(row, column).value_or(0);
        by(keys);
    } else {
        std::vector<std::string> keys(allRows());
        for (const std::uint32_t row : rows) keys[row] = table_->text(row, column);
        by(keys);
    }
    return rows;
}

} // namespace blockloom::ui
