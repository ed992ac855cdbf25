// Log: what happened, oldest first.
#pragma once

#include "docks/dock.h"

class QLabel;

namespace blockloom::ui {

class LogModel;
class Session;
class Table;

class LogDock : public Dock {
    Q_OBJECT

public:
    explicit LogDock(Session* session, QWidget* parent = nullptr);
    void note(const QString& level, const QString& message); ///< level as in LogModel
    [[nodiscard]] LogModel* model() const { return model_; }

private:
    void showWhole();

    LogModel* model_;
    Table* table_;
    QLabel* whole_;
    bool at_end_ = true; ///< the newest line is in view
};

} // namespace blockloom::ui
