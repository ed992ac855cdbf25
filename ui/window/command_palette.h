// The command palette (Ctrl+Shift+P): finds every command by a few letters of its name.
#pragma once

#include "models/commands_model.h"

#include <QDialog>

class QLineEdit;
class QMainWindow;

namespace blockloom::ui {

class Table;

/// The commands of a window: its actions and those of its panels, each once. Disabled ones are
/// included, so that any typed name is found.
[[nodiscard]] QList<Command> commands_of(const QMainWindow& window);

/// Type to search, Up and Down to choose, Enter to run; Escape or a click elsewhere closes it.
/// Deletes itself.
class CommandPalette : public QDialog {
    Q_OBJECT

public:
    CommandPalette(QList<Command> commands, QWidget* parent);
    [[nodiscard]] QLineEdit* field() const { return field_; }
    [[nodiscard]] CommandsModel* model() const { return model_; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void look(const QString& typed);
    void step(int by);
    void take(int row);

    QLineEdit* field_;
    CommandsModel* model_;
    Table* table_;
};

} // namespace blockloom::ui
