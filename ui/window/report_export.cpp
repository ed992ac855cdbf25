#include "window/report_export.h"

#include "base/file.h"
#include "range/file_hashes.h"
#include "report/csv.h"
#include "report/html.h"
#include "report/json.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>

namespace blockloom::ui {
namespace {

Result<std::string> report_text(const range::Range& range, const QString& ending, unsigned workers,
                                ProgressSink& progress, std::stop_token stop) {
    if (ending == QLatin1StringView("json")) return report::analysis_json(range);
    if (ending == QLatin1StringView("csv")) return report::analysis_csv(range);
    if (ending != QLatin1StringView("html") && ending != QLatin1StringView("htm"))
        return Error{ErrorCode::wrong_usage,
                     "report: expected a file ending in .html, .json or .csv, found \"." +
                         ending.toStdString() + "\""};
    auto files = range::hashed_files(range, progress, stop);
    if (!files) return files.error();
    range::Range hashed = range;
    hashed.files = *files;
    report::HtmlOptions options;
    options.provenance = runs::provenance_now(BLOCKLOOM_VERSION);
    options.workers = workers;
    return report::analysis_html(hashed, options, progress, stop);
}

} // namespace

QString report_filters() {
    return QCoreApplication::translate(
        "Report", "Report, one HTML file (*.html);;JSON (*.json);;Table, CSV (*.csv)");
}

Status write_report(const range::Range& range, const QString& path, unsigned workers,
                    ProgressSink& progress, std::stop_token stop) {
    const auto text =
        report_text(range, QFileInfo(path).suffix().toLower(), workers, progress, stop);
    if (!text) return text.error();
    return write_file(QFile::encodeName(path).toStdString(), as_bytes(*text));
}

} // namespace blockloom::ui
