// Asks where the state before the open range is: an indexer's database, its JSON-RPC, or a state
// bundle.
#pragma once

#include "session/state_choice.h"

#include <QDialog>

class QComboBox;
class QLineEdit;
class QPushButton;

namespace blockloom::ui {

class PlaceForm;

/// Looks at no file and asks no node: whoever opens the range does, off the GUI thread, and reports
/// what is wrong.
class StateDialog : public QDialog {
    Q_OBJECT

public:
    enum class Place { database, node, bundle };

    StateDialog(Place place, const StateChoice& before, QWidget* parent = nullptr);
    [[nodiscard]] StateChoice choice() const;

private:
    void addHeight(const StateChoice& before);
    void addDatabase(const StateChoice& before);
    void check();

    Place place_;
    PlaceForm* form_;
    QLineEdit *path_ = nullptr, *height_ = nullptr, *label_ = nullptr, *fork_ = nullptr,
              *credentials_ = nullptr, *certificates_ = nullptr;
    QComboBox* access_ = nullptr;
    QPushButton* use_ = nullptr;
};

} // namespace blockloom::ui
