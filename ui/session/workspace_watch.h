// Notices that another process wrote to a workspace, without opening it: who reads it would keep
// that process out.
#pragma once

#include "session/background_work.h"

#include <QString>
#include <QTimer>

#include <functional>

namespace blockloom::ui {

/// What the files of a workspace's database look like from outside: names, sizes, times. Equal:
/// nobody wrote in between. Empty: there is none. Off the GUI thread: the folder may be on a
/// network.
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
