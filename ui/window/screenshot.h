// A picture of the window once it has settled: for the documentation and for scripts.
#pragma once

#include <QSize>
#include <QString>

#include <chrono>
#include <functional>
#include <optional>

namespace blockloom::ui {

class MainWindow;

/// What the window should show of the opened range.
struct Pose {
    std::optional<quint64> block; ///< height
    std::optional<quint32> task;
    QString view; ///< of the Graph dock: "layered", "matrix", …; a dock's name; "layout-compare";
                  ///< "dialog:guide"
    QString picture; ///< PNG to write; empty: none, the window stays
    /// Give up after this time: something hangs.
    std::chrono::milliseconds time_limit = std::chrono::minutes(2);
};

/// Applies the pose when the range is open, writes the picture when the window has settled, then
/// calls `done` with an error or an empty text. Without a picture it only applies the pose.
void take_pose(MainWindow& window, const Pose& pose,
               std::function<void(const QString& error)> done);

} // namespace blockloom::ui
