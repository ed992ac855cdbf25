// The table twin of a view as a Qt model: sorts and filters row numbers; makes cells on demand.
#pragma once

#include "scene/view_table.h"

#include <QAbstractTableModel>

#include <memory>
#include <optional>
#include <vector>

namespace blockloom::ui {

/// Sorts by value if a column has values, else by text; equal rows keep the table's order.
class TwinModel : public QAbstractTableModel {
    Q_OBJECT

public:
    /// In addition to look/roles.h.
    enum Role { task_role = Qt::UserRole + 100, key_role };

    explicit TwinModel(QObject* parent = nullptr);

    void setTable(std::shared_ptr<const scene::ViewTable> table); ///< null: empty
    /// Shows only rows with a cell that contains the text, ignoring case; empty: all.
    void setFilter(const QString& text);
    [[nodiscard]] QString note() const; ///< what the table leaves out, or empty
    [[nodiscard]] std::size_t allRows() const;

    [[nodiscard]] std::optional<quint32> task(int row) const;
    [[nodiscard]] std::optional<quint32> key(int row) const;
    /// The first row that selects the task, else the key; −1: none.
    [[nodiscard]] int rowOf(std::optional<quint32> task, std::optional<quint32> key) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

private:
    [[nodiscard]] std::vector<std::uint32_t> arranged() const;
    void rearrange();

    std::shared_ptr<const scene::ViewTable> table_;
    std::vector<std::uint32_t> rows_; ///< row numbers of the table, in displayed order
    QString filter_;
    int sorted_by_ = -1;
    Qt::SortOrder order_ = Qt::AscendingOrder;
};

} // namespace blockloom::ui
