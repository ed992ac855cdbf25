// Notices that another process kept, changed or deleted a run of a workspace.
#pragma once

#include "session/background_work.h"

#include <QString>
#include <QTimer>

#include <functional>

namespace blockloom::ui {

/// What the folder of a workspace's runs looks like from outside. Equal: nothing was kept, changed
/// or deleted in between. Empty: no workspace. Off the GUI thread: the folder may be on a network.
[[nodiscard]] QString workspace_mark(const QString& folder);

/// Lives on the GUI thread and looks every `look_ms` from there in the background.
class WorkspaceWatch : public QObject {
    Q_OBJECT

public:
    static constexpr int look_ms = 1000;

    /// `folder`: which workspace is looked at now; empty: none.
    explicit WorkspaceWatch(std::function<QString()> folder, QObject* parent = nullptr);
    /// Everything up to `mark` is known. Looking begins with the first.
    void knows(const QString& mark);

Q_SIGNALS:
    void changed(); ///< somebody wrote, and has been quiet between two looks

private:
    void look();

    std::function<QString()> folder_;
    QTimer timer_;
    BackgroundWork looking_;
    QString known_, last_;
};

} // namespace blockloom::ui
