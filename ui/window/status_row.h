// The status bar: what was analysed, what is selected, by which policy; who draws, on what machine.
#pragma once

#include <QStatusBar>

class QHBoxLayout;
class QLabel;

namespace blockloom::ui {

class Session;

/// A message stands in the place of what is said of the session; nothing is painted over anything.
/// Where there is no room, what matters least is left out first, and what stays ends in an
/// ellipsis.
class StatusRow : public QStatusBar {
    Q_OBJECT

public:
    explicit StatusRow(Session* session, QWidget* parent = nullptr);
    void setRenderer(const QString& name, const QString& note);

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void showSession();
    void showIcons();
    void fit();
    /// No message stands where the session is told of otherwise.
    [[nodiscard]] bool hasRoom() const { return currentMessage().isEmpty(); }

    Session* session_;
    QWidget* line_;
    QHBoxLayout* row_;
    QLabel *message_, *state_icon_, *state_, *selected_, *policy_, *cores_icon_, *cores_,
        *renderer_icon_, *renderer_, *version_;
    bool fitting_ = false;
};

} // namespace blockloom::ui
