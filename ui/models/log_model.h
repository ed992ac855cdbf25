// Log lines, oldest first.
#pragma once

#include "look/roles.h"

#include <QAbstractTableModel>
#include <QDateTime>

#include <deque>

namespace blockloom::ui {

class LogModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Time, Level, Message, ColumnCount };
    static constexpr std::size_t most = 5000; ///< older lines are dropped

    using QAbstractTableModel::QAbstractTableModel;

    /// `level`: "info", "warning" or "error".
    void append(const QString& level, const QString& message,
                const QDateTime& when = QDateTime::currentDateTime());
    void clear();

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Line {
        QDateTime when;
        QString level, message;
    };
    std::deque<Line> lines_;
};

} // namespace blockloom::ui
