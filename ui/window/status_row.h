// The status bar: analysis, selection, policy, renderer, machine.
#pragma once

#include <QStatusBar>

class QHBoxLayout;
class QLabel;

namespace blockloom::ui {

class Session;

/// A message replaces the session's status; nothing overlaps. If there is no room, the least
/// important parts are hidden first, and the rest ends in an ellipsis.
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
    /// No message is being shown instead of the session's status.
    [[nodiscard]] bool hasRoom() const { return currentMessage().isEmpty(); }

    Session* session_;
    QWidget* line_;
    QHBoxLayout* row_;
    QLabel *message_, *state_icon_, *state_, *selected_, *origin_, *policy_, *cores_icon_, *cores_,
        *renderer_icon_, *renderer_, *version_;
    bool fitting_ = false;
};

} // namespace blockloom::ui
