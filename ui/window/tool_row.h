// The tool bar, from left to right: what to run, by which rules, how and how often. Controls that
// do not fit are behind "More".
#pragma once

#include <QToolBar>

#include <vector>

class QAction;
class QBoxLayout;
class QCheckBox;
class QComboBox;
class QFrame;
class QLabel;
class QPushButton;
class QToolButton;

namespace blockloom::ui {

class RecentModel;
class Runs;
class Session;
class WorkBar;

class ToolRow : public QToolBar {
    Q_OBJECT

public:
    ToolRow(Session* session, Runs* runs, RecentModel* recent, QWidget* parent = nullptr);
    [[nodiscard]] WorkBar* work() const { return work_; }
    /// Adds a button for a command that is visible while the command is enabled.
    void addOffer(QAction* action);
    [[nodiscard]] int folded() const; ///< controls that are behind "More"

    static constexpr int height_px = 56;

Q_SIGNALS:
    void openRequested(const QStringList& sources);
    void openDialogRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Item {
        QWidget* widget;
        int folds_below; ///< row width below which it is folded; 0: never
    };
    QComboBox* add(const QString& caption, int width, int folds_below);
    void addItem(QWidget* widget, int folds_below);
    void showLimits();
    static void offer(QComboBox* box, int at, const QString& why, const QString& about);
    void fold();
    void showSession();
    void showRecent();
    void showBackends();
    void showRun();

    Session* session_;
    Runs* runs_;
    RecentModel* recent_;
    QComboBox *range_, *backend_, *run_strategy_, *model_, *cost_, *strategy_, *workers_,
        *batch_min_, *batch_max_, *window_, *placement_, *repetitions_;
    QPushButton* run_;
    QCheckBox* verify_;
    QWidget *row_, *more_panel_;
    QBoxLayout *line_, *more_line_;
    QToolButton* more_;
    WorkBar* work_;
    std::vector<Item> items_;
    bool following_ = false;
};

} // namespace blockloom::ui
