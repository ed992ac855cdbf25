// What a report of the window is made of, and writing it, off the GUI thread.
#pragma once

#include "base/progress.h"
#include "range/range.h"
#include "report/paper.h"

#include <QString>
#include <QStringList>

#include <memory>

namespace blockloom::ui {

class RunTraces;

/// Where a report goes. The extension of `path` decides the format.
struct ReportFile {
    QString path;
    report::Paper paper = report::paper_of_locale(); ///< of .pdf
};

/// Name filters of the file dialog with their extensions: reports of a range, or of kept runs.
[[nodiscard]] QStringList range_report_filters();
[[nodiscard]] QStringList runs_report_filters();
/// The paper that a filter names, else that of the user's locale.
[[nodiscard]] report::Paper paper_of_filter(const QString& filter);

/// Writes `range`: html, pdf, json or csv. Thread-safe. Hashes the source files for provenance,
/// which reads them once more.
[[nodiscard]] Status write_range_report(const range::Range& range, const ReportFile& file,
                                        unsigned workers, ProgressSink& progress,
                                        const std::stop_token& stop);

/// Reads the kept runs `ids` of the workspace `folder` and writes them: html, pdf, json or csv.
/// Two runs are compared. Thread-safe. Fails if one of them is gone.
[[nodiscard]] Status write_runs_report(const QString& folder, const QStringList& ids,
                                       RunTraces& traces, const ReportFile& file,
                                       ProgressSink& progress, const std::stop_token& stop);

} // namespace blockloom::ui
