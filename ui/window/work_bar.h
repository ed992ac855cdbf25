// How far the work in progress is, with Cancel; at rest, what the last analysis took.
#pragma once

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace blockloom::ui {

class Session;

class WorkBar : public QWidget {
    Q_OBJECT

public:
    explicit WorkBar(Session* session, QWidget* parent = nullptr);
    [[nodiscard]] QPushButton* cancelButton() const { return cancel_; }
    [[nodiscard]] QString text() const;

private:
    void showWork();

    Session* session_;
    QLabel *phase_, *rest_;
    QProgressBar* bar_;
    QPushButton* cancel_;
};

} // namespace blockloom::ui
