// The result of a comparison with a node: how much was compared, and a table of the differences.
#pragma once

#include <QDialog>

class QComboBox;
class QLabel;
class QLineEdit;

namespace blockloom::ui {

class CheckModel;
class CheckRows;
class NodeChecks;
class Session;
class Table;

/// Beside the window, which stays usable: choosing a row selects its task there.
class CheckDialog : public QDialog {
    Q_OBJECT

public:
    CheckDialog(Session* session, NodeChecks* checks, QWidget* parent = nullptr);
    [[nodiscard]] Table* table() const { return table_; }

private:
    void showCheck();
    void filter();
    void select(const QModelIndex& index);

    Session* session_;
    NodeChecks* checks_;
    CheckModel* model_;
    CheckRows* rows_;
    Table* table_;
    QLabel *summary_, *left_out_, *kept_, *shown_;
    QComboBox *field_, *block_;
    QLineEdit* text_;
};

} // namespace blockloom::ui
