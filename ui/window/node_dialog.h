// Asks which blocks of which node to open.
#pragma once

#include "session/node_choice.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSettings;

namespace blockloom::ui {

class PlaceForm;

/// Looks at no file and asks no node: whoever opens the range does, off the GUI thread, and reports
/// what is wrong.
class NodeDialog : public QDialog {
    Q_OBJECT

public:
    explicit NodeDialog(const NodeChoice& before, QWidget* parent = nullptr);
    [[nodiscard]] NodeChoice choice() const;

private:
    void addWhere(const NodeChoice& before);
    void addBlocks(const NodeChoice& before);
    void addAccess(const NodeChoice& before);
    [[nodiscard]] NodeKind kind() const;
    [[nodiscard]] bool ofDatabase() const { return kind() == NodeKind::database; }
    void showKind();
    void check();

    PlaceForm* form_;
    QLabel* about_;
    QComboBox *kind_ = nullptr, *access_ = nullptr;
    QLineEdit *url_ = nullptr, *folder_ = nullptr, *first_ = nullptr, *last_ = nullptr,
              *credentials_ = nullptr, *certificates_ = nullptr, *fork_ = nullptr,
              *label_ = nullptr;
    QCheckBox *follow_ = nullptr, *execute_ = nullptr;
    QPushButton* open_ = nullptr;
};

/// The last choice, without heights; nothing secret is kept.
[[nodiscard]] NodeChoice last_node(const QSettings& settings);
void keep_last_node(QSettings& settings, const NodeChoice& choice);

} // namespace blockloom::ui
