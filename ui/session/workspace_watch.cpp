#include "session/workspace_watch.h"

#include "store/document_folder.h"

#include <filesystem>
#include <utility>

namespace blockloom::ui {

QString workspace_mark(const QString& folder) {
    if (folder.isEmpty()) return {};
    // Every run is a file that is renamed into its folder, or removed from it: the folder changes.
    std::error_code none;
    const auto changed = std::filesystem::last_write_time(
        std::filesystem::path(folder.toStdString()) / store::runs_folder, none);
    return QStringLiteral("%1\n%2").arg(folder).arg(
        none ? 0 : static_cast<qint64>(changed.time_since_epoch().count()));
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
