// Notices that another process kept, changed or deleted a run of a workspace.
#pragma once

#include "session/background_work.h"

#include <QString>
#include <QTimer>

#include <functional>

namespace blockloom::ui {

/// A fingerprint of the folder of a workspace's runs. If two are equal, nothing was kept, changed
/// or deleted in between. Empty: no workspace. Call off the GUI thread: the folder may be on a
/// network.
[[nodiscard]] QString workspace_mark(const QString& folder);

/// Lives on the GUI thread and checks every `look_ms` in the background.
class WorkspaceWatch : public QObject {
    Q_OBJECT

public:
    static constexpr int look_ms = 1000;

    /// `folder` returns the workspace to watch; empty: none.
    explicit WorkspaceWatch(std::function<QString()> folder, QObject* parent = nullptr);
    /// Everything up to `mark` is known. Watching begins with the first call.
    void knows(const QString& mark);

Q_SIGNALS:
    void changed(); ///< another process wrote and was then quiet between two checks

private:
    void look();

    std::function<QString()> folder_;
    QTimer timer_;
    BackgroundWork looking_;
    QString known_, last_;
};

} // namespace blockloom::ui
