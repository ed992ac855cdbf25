// The status bar: what was analysed, what is selected, by which policy; who draws, on what machine.
#pragma once

#include <QStatusBar>

class QLabel;

namespace blockloom::ui {

class Session;

class StatusRow : public QStatusBar {
    Q_OBJECT

public:
    explicit StatusRow(Session* session, QWidget* parent = nullptr);
    void setRenderer(const QString& name, const QString& note);

protected:
    void changeEvent(QEvent* event) override;

private:
    void showSession();
    void showIcons();
    /// No message stands where the session is told of otherwise.
    [[nodiscard]] bool hasRoom() const { return currentMessage().isEmpty(); }

    Session* session_;
    QLabel *state_icon_, *state_, *selected_, *policy_, *cores_icon_, *cores_, *renderer_icon_,
        *renderer_, *version_;
};

} // namespace blockloom::ui
