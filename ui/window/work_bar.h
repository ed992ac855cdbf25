// Progress of the current work, with Pause and Cancel; at rest, the time of the last analysis.
#pragma once

#include "base/work_pace.h"

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace blockloom::ui {

class FittingLabel;
class Runs;
class Session;

class WorkBar : public QWidget {
    Q_OBJECT

public:
    WorkBar(Session* session, Runs* runs, QWidget* parent = nullptr);
    [[nodiscard]] QToolButton* pauseButton() const { return pause_; }
    [[nodiscard]] QPushButton* cancelButton() const { return cancel_; }
    [[nodiscard]] QString text() const;
    [[nodiscard]] const FittingLabel* phase() const { return phase_; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitRest();
    void showWork();
    void showPause();

    Session* session_;
    Runs* runs_;
    WorkPace pace_;
    FittingLabel* phase_;
    QLabel* rest_;
    QProgressBar* bar_;
    QToolButton* pause_;
    QPushButton* cancel_;
};

} // namespace blockloom::ui
