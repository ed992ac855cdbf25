#include "session/workspace_watch.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>

#include <utility>

namespace blockloom::ui {

QString workspace_mark(const QString& folder) {
    if (folder.isEmpty()) return {};
    // Every write reaches the log first; its file changes with it, and the manifest with a new one.
    const QFileInfoList files =
        QDir(folder + QStringLiteral("/db"))
            .entryInfoList({QStringLiteral("MANIFEST-*"), QStringLiteral("*.log")}, QDir::Files,
                           QDir::Name);
    QString mark = files.isEmpty() ? QString() : folder;
    for (const QFileInfo& file : files)
        mark += QStringLiteral("\n%1 %2 %3")
                    .arg(file.fileName())
                    .arg(file.size())
                    .arg(file.lastModified().toMSecsSinceEpoch());
    return mark;
}

WorkspaceWatch::WorkspaceWatch(std::function<QString()> folder, QObject* parent)
    : QObject(parent), folder_(std::move(folder)) {
    timer_.setInterval(look_ms);
    connect(&timer_, &QTimer::timeout, this, &WorkspaceWatch::look);
}

void WorkspaceWatch::knows(const QString& mark) {
    known_ = last_ = mark;
    if (!timer_.isActive()) timer_.start();
}

void WorkspaceWatch::look() {
    if (looking_.running()) return;
    looking_.start([this, folder = folder_()](const BackgroundWork::Delivery& deliver,
                                              ProgressSink&, const std::stop_token&) {
        deliver([this, mark = workspace_mark(folder)] {
            const bool quiet = std::exchange(last_, mark) == mark;
            if (quiet && mark != known_) Q_EMIT changed();
        });
    });
}

} // namespace blockloom::ui
