#include "window/report_export.h"

#include "report/export.h"

#include <QCoreApplication>
#include <QFile>

namespace blockloom::ui {
QString report_filters() {
    return QCoreApplication::translate(
        "Report", "Report, one HTML file (*.html);;Report to print, PDF (*.pdf);;JSON (*.json);;"
                  "Table, CSV (*.csv)");
}

Status write_report(const range::Range& range, const QString& path, unsigned workers,
                    ProgressSink& progress, std::stop_token stop) {
    const std::string file = QFile::encodeName(path).toStdString();
    const auto form = report::form_of(file);
    if (!form || report::holds_one_block(*form))
        return Error{ErrorCode::wrong_usage,
                     file + ": expected a name that ends in .html, .pdf, .json or .csv"};
    report::ExportOptions options;
    options.report.provenance = runs::provenance_now(BLOCKLOOM_VERSION);
    options.report.workers = workers;
    options.paper = report::paper_of_locale();
    return report::export_range(range, nullptr, file, options, progress, stop);
}

} // namespace blockloom::ui
