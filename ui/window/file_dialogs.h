// The window's dialogs that ask for files and folders. Each opens at once, is a child of the
// window, and calls `take` with what was chosen; a dialog that is cancelled calls nothing.
#pragma once

#include <QString>
#include <QStringList>

#include <functional>

class QWidget;

namespace blockloom::ui {

/// Files of blocks or traces, or one folder of them.
void ask_for_sources(QWidget& window, bool folder, std::function<void(const QStringList&)> take);
/// The folder of a workspace.
void ask_for_workspace(QWidget& window, std::function<void(const QString&)> take);
/// Where a report goes; the file's ending says which kind.
void ask_for_report(QWidget& window, std::function<void(const QString&)> take);

} // namespace blockloom::ui
