// A picture of the window once it has settled: for the pages of the documentation and for scripts.
#pragma once

#include <QSize>
#include <QString>

#include <chrono>
#include <functional>
#include <optional>

namespace blockloom::ui {

class MainWindow;

/// What the window is to show, besides what is opened.
struct Pose {
    std::optional<quint64> block; ///< height
    std::optional<quint32> task;
    QString view; ///< of the Graph dock: "layered", "matrix", …; a dock's name; "layout-compare";
                  ///< "dialog:guide"
    QString picture; ///< PNG to write; empty: none, the window stays
    /// Longer than this and something hangs: the caller should know.
    std::chrono::milliseconds patience = std::chrono::minutes(2);
};

/// Takes the pose when the range is there, writes the picture when nothing moves any more, then
/// calls `done` with an error or an empty text. Without a picture it only poses.
void take_pose(MainWindow& window, const Pose& pose,
               std::function<void(const QString& error)> done);

} // namespace blockloom::ui
