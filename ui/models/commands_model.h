// Every command of the window by name, for the command palette.
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

/// How well a command matches the typed text: every word must occur in its group or text; 0 is
/// best, −1 no match. A match at the beginning of a word ranks higher.
[[nodiscard]] int misfit(const Command& command, const QString& typed);

/// The matching commands, best first; disabled ones come last.
class CommandsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { What, Where, Keys, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setCommands(QList<Command> commands);
    void setTyped(const QString& typed);
    [[nodiscard]] const Command* at(int row) const; ///< null: no such row

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
