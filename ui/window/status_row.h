// The status bar: analysis, selection, policy, renderer, machine.
#pragma once

#include <QStatusBar>

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace blockloom::ui {

class Session;
class TipWatch;

/// A message replaces the session's status; nothing overlaps. If there is no room, the least
/// important parts are hidden first, and the rest ends in an ellipsis.
class StatusRow : public QStatusBar {
    Q_OBJECT

public:
    StatusRow(Session* session, TipWatch* tip, QWidget* parent = nullptr);
    /// What is followed; a click ends it.
    [[nodiscard]] QToolButton* followButton() const { return follow_; }
    void setRenderer(const QString& name, const QString& note);

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void showSession();
    void showIcons();
    void showFollowing();
    void fit();
    /// No message is being shown instead of the session's status.
    [[nodiscard]] bool hasRoom() const { return currentMessage().isEmpty(); }

    Session* session_;
    TipWatch* tip_;
    QWidget* line_;
    QHBoxLayout* row_;
    QLabel *message_, *state_icon_, *state_, *selected_, *origin_, *policy_, *cores_icon_, *cores_,
        *renderer_icon_, *renderer_, *version_;
    QToolButton* follow_;
    bool fitting_ = false;
};

} // namespace blockloom::ui
