// The window's dialogs that ask for files and folders. Each opens at once, is a child of the
// window, and calls `take` with the choice; a cancelled dialog does not call it.
#pragma once

#include <QString>
#include <QStringList>

#include <functional>

class QWidget;

namespace blockloom::ui {

struct ReportFile;

/// Asks for files of blocks or traces, or for one folder of them.
void ask_for_sources(QWidget& window, bool folder, std::function<void(const QStringList&)> take);
/// Asks for the folder of a workspace.
void ask_for_workspace(QWidget& window, std::function<void(const QString&)> take);
/// Asks for the path of a report, whose extension decides the format, and the paper; `filters`: of
/// window/report_export.h. `name`: the file name offered, without extension.
void ask_for_report(QWidget& window, const QString& title, const QString& name,
                    const QStringList& filters, std::function<void(const ReportFile&)> take);

} // namespace blockloom::ui
