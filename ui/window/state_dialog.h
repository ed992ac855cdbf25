// Asks where the state before the open range is: an indexer's database, or a state bundle; or which
// blocks of an indexer's database to open, with the state before them.
#pragma once

#include "session/state_choice.h"

#include <QDialog>

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace blockloom::ui {

/// Looks at no file: whoever opens the range does, off the GUI thread, and reports what is wrong.
class StateDialog : public QDialog {
    Q_OBJECT

public:
    enum class Place { database, bundle, blocks };

    StateDialog(Place place, const StateChoice& before, QWidget* parent = nullptr);
    [[nodiscard]] StateChoice choice() const;
    /// Of `Place::blocks`: the heights of the blocks to open; a missing last one is the first.
    [[nodiscard]] std::optional<quint64> from() const;
    [[nodiscard]] std::optional<quint64> to() const;

private:
    void addRow(const QString& label, QWidget* field, const QString& what);
    QLineEdit* addPath(const QString& label, const char* name, const QString& text, bool folder,
                       const QString& what);
    QLineEdit* addHeight(const QString& label, const char* name, std::optional<quint64> height,
                         const QString& hint, const QString& what);
    void addDatabase(const StateChoice& before);
    void check();

    Place place_;
    QFormLayout* form_;
    QLineEdit *path_ = nullptr, *height_ = nullptr, *last_ = nullptr, *label_ = nullptr,
              *fork_ = nullptr;
    QComboBox* access_ = nullptr;
    QLabel* problem_;
    QPushButton* use_ = nullptr;
};

} // namespace blockloom::ui
