// The kept runs, and which two are compared.
#pragma once

#include "docks/dock.h"

#include <QList>

#include <utility>

class QAction;
class QLabel;
class QPushButton;

namespace blockloom::ui {

class PanelBar;
class Runs;
class RunsModel;
class SortedRows;
class Table;

class RunsDock : public Dock {
    Q_OBJECT

public:
    explicit RunsDock(Runs* runs, QWidget* parent = nullptr);
    [[nodiscard]] Table* table() const { return table_; }
    [[nodiscard]] RunsModel* model() const { return model_; }
    [[nodiscard]] QStringList selectedIds() const; ///< of the runs, in the order shown
    void askReport();                              ///< requests a report of the selected runs

Q_SIGNALS:
    void reportRequested(const QStringList& ids); ///< at least one
    void checkRequested(const QString& id);       ///< to be shown; of a run that has one

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showKept();
    void showEmptyPage();
    [[nodiscard]] int widthOfHow() const;
    [[nodiscard]] int roomForDigests() const;
    void showColumns();
    void showCompared();
    void choose(int side);
    [[nodiscard]] QString currentId() const;
    void togglePin();
    void showButtons();
    void showMenu();
    void verify();
    void showCount();

    Runs* runs_;
    RunsModel* model_;
    SortedRows* rows_;
    Table* table_;
    QPushButton *as_a_, *as_b_, *verify_, *note_, *pin_, *remove_, *older_;
    QAction* show_check_;
    QLabel* hint_;
    PanelBar* bar_ = nullptr;
    QList<std::pair<QPushButton*, QAction*>> in_menu_;
};

} // namespace blockloom::ui
