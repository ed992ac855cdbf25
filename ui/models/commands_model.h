// Every command of the window by its name, for the command palette.
#pragma once

#include <QAbstractTableModel>
#include <QList>
#include <QString>

#include <functional>

namespace blockloom::ui {

struct Command {
    QString group, text, keys; ///< "Range", "Next block", "Ctrl+Down"
    bool enabled = true;
    std::function<void()> act;
};

/// How well a command fits what was typed: every word must be in its group or text; 0 fits best, −1
/// not at all. Beginnings of words go before their middles.
[[nodiscard]] int misfit(const Command& command, const QString& typed);

/// The commands that fit, best first; those that cannot be used now stand last.
class CommandsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { What, Where, Keys, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setCommands(QList<Command> commands);
    void setTyped(const QString& typed);
    [[nodiscard]] const Command* at(int row) const; ///< null: there is none

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    QList<Command> commands_;
    QList<qsizetype> shown_;
};

} // namespace blockloom::ui
