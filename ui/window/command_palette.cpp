#include "window/command_palette.h"

#include "look/table.h"
#include "look/theme_style.h"
#include "window/window_actions.h"

#include <QAction>
#include <QEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMainWindow>
#include <QPainter>
#include <QPointer>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace blockloom::ui {

QList<Command> commands_of(const QMainWindow& window) {
    QList<Command> commands;
    QStringList seen;
    // Commands of the window come before those that each panel has.
    QList<QAction*> actions = window.findChildren<QAction*>();
    std::stable_partition(actions.begin(), actions.end(), [](const QAction* action) {
        return action->shortcutContext() != Qt::WidgetWithChildrenShortcut;
    });
    for (QAction* action : actions) {
        const QString group = action->property("shortcutGroup").toString();
        if (group.isEmpty() || action->isSeparator()) continue;
        QString text = command_name(*action);
        const QString mark = group + QLatin1Char('\n') + text;
        if (text.isEmpty() || seen.contains(mark)) continue;
        seen.append(mark);
        if (action->isCheckable() && action->isChecked()) text += CommandPalette::tr(" (on)");
        commands.append({group, text,
                         QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText),
                         action->isEnabled(), [action = QPointer(action)] {
                             if (action) action->trigger();
                         }});
    }
    return commands;
}

CommandPalette::CommandPalette(QList<Command> commands, QWidget* parent)
    : QDialog(parent, Qt::Dialog | Qt::FramelessWindowHint), field_(new QLineEdit(this)),
      model_(new CommandsModel(this)), table_(new Table(tr("Commands"), this)) {
    setObjectName(QStringLiteral("commandPalette"));
    setWindowTitle(tr("Commands"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(8);
    field_->setPlaceholderText(tr("Type the name of a command"));
    field_->setAccessibleName(tr("Command"));
    field_->installEventFilter(this);
    column->addWidget(field_);
    table_->setModel(model_);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setFocusPolicy(Qt::NoFocus);
    table_->horizontalHeader()->hide();
    table_->horizontalHeader()->setSectionResizeMode(CommandsModel::What, QHeaderView::Stretch);
    table_->horizontalHeader()->resizeSection(CommandsModel::Where, 96);
    table_->horizontalHeader()->resizeSection(CommandsModel::Keys, 170);
    column->addWidget(table_, 1);
    connect(field_, &QLineEdit::textChanged, this, &CommandPalette::look);
    connect(table_, &QTableView::clicked, this,
            [this](const QModelIndex& index) { take(index.row()); });
    model_->setCommands(std::move(commands));
    look({});
    const QSize size(std::min(640, parent->width() - 40), std::min(420, parent->height() - 80));
    resize(size);
    move(parent->mapToGlobal(QPoint((parent->width() - size.width()) / 2, 56)));
    field_->setFocus();
}

/// It has no frame of the window system's, and its ground is the window's.
void CommandPalette::paintEvent(QPaintEvent* event) {
    QDialog::paintEvent(event);
    QPainter painter(this);
    painter.setPen(qcolor(current_theme().control_border));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void CommandPalette::look(const QString& typed) {
    model_->setTyped(typed);
    if (model_->rowCount() > 0) table_->selectRow(0);
    const Command* first = model_->at(0);
    field_->setAccessibleDescription(first == nullptr ? tr("no matching command") : first->text);
}

void CommandPalette::step(int by) {
    if (model_->rowCount() == 0) return;
    const int row =
        std::clamp(table_->currentIndex().row() + by, 0, std::max(model_->rowCount() - 1, 0));
    const Command* command = model_->at(row);
    if (command == nullptr || !command->enabled) return; // disabled ones come last
    table_->selectRow(row);
    field_->setAccessibleDescription(command->text);
}

/// Closes first, so that nothing that the command opens is hidden behind the palette.
void CommandPalette::take(int row) {
    const Command* command = model_->at(row);
    if (command == nullptr || !command->enabled) return;
    QTimer::singleShot(0, parentWidget(), command->act);
    close();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == field_ && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        constexpr int page = 10;
        switch (key) {
        case Qt::Key_Up:
        case Qt::Key_Down:
            step(key == Qt::Key_Down ? 1 : -1);
            return true;
        case Qt::Key_PageUp:
        case Qt::Key_PageDown:
            step(key == Qt::Key_PageDown ? page : -page);
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            take(table_->currentIndex().row());
            return true;
        default:
            break;
        }
    }
    return QDialog::eventFilter(watched, event);
}

void CommandPalette::changeEvent(QEvent* event) {
    QDialog::changeEvent(event);
    if (event->type() == QEvent::ActivationChange && isVisible() && !isActiveWindow()) close();
}

} // namespace blockloom::ui
