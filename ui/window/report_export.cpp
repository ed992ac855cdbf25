#include "window/report_export.h"

#include "base/part_progress.h"
#include "report/export.h"
#include "report/run_report.h"
#include "runs/kept_runs.h"
#include "runs/run_json.h"
#include "session/run_traces.h"
#include "store/kept_folders.h"
#include "text/to_qt.h"
#include "text/words.h"

#include <QFile>

#include <fmt/format.h>

namespace blockloom::ui {
namespace {

/// Runs from which baselines and speed-ups are taken, as the command line does.
constexpr std::size_t most_others = 1'000;

/// The paper of the locale comes first.
QStringList filters(const QString& table) {
    QStringList papers{words("Report to print, PDF on A4 (*.pdf)"),
                       words("Report to print, PDF on Letter (*.pdf)")};
    if (report::paper_of_locale() == report::Paper::letter) papers.swapItemsAt(0, 1);
    return QStringList{words("Report, one HTML file (*.html)")} + papers +
           QStringList{words("JSON (*.json)"), table};
}

std::string local_name(const QString& path) {
    return QFile::encodeName(path).toStdString();
}

Error wrong_ending(const std::string& file) {
    return {ErrorCode::wrong_usage,
            file + ": expected a name that ends in .html, .pdf, .json or .csv"};
}

Result<report::ReportedRun> read_whole(const store::DocumentFolder& runs, const QString& folder,
                                       const std::string& id, RunTraces& traces) {
    auto document = runs.load(id);
    if (!document) return document.error();
    if (!*document)
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: no run \"{}\"", folder.toStdString(), id)};
    auto run = runs::read_run(**document, id);
    if (!run) return run.error();
    auto spans = traces.trace_of(folder.toStdString(), id);
    if (!spans) return spans.error();
    return report::ReportedRun{*std::move(run), **std::move(document), *std::move(spans)};
}

} // namespace

QStringList range_report_filters() {
    return filters(words("Table of blocks, CSV (*.csv)"));
}

QStringList runs_report_filters() {
    return filters(words("Table of runs and blocks, CSV (*.csv)"));
}

report::Paper paper_of_filter(const QString& filter) {
    if (filter.contains(QLatin1StringView("Letter"))) return report::Paper::letter;
    if (filter.contains(QLatin1StringView("A4"))) return report::Paper::a4;
    return report::paper_of_locale();
}

Status write_range_report(const range::Range& range, const ReportFile& file, unsigned workers,
                          ProgressSink& progress, const std::stop_token& stop) {
    const std::string path = local_name(file.path);
    const auto form = report::form_of(path);
    if (!form || report::holds_one_block(*form)) return wrong_ending(path);
    report::ExportOptions options;
    options.report.provenance = runs::provenance_now(BLOCKLOOM_VERSION);
    options.report.workers = workers;
    options.paper = file.paper;
    return report::export_range(range, nullptr, path, options, progress, stop);
}

Status write_runs_report(const QString& folder, const QStringList& ids, RunTraces& traces,
                         const ReportFile& file, ProgressSink& progress,
                         const std::stop_token& stop) {
    const std::string path = local_name(file.path);
    if (!report::run_form_of(path)) return wrong_ending(path);
    // Reading a run is one step, writing it another.
    const auto count = static_cast<std::uint64_t>(ids.size());
    PartProgress reading(progress, 0, count, 2 * count), writing(progress, count, count, 2 * count);
    const auto kept = store::open_runs(folder.toStdString());
    if (!kept) return kept.error();
    std::vector<report::ReportedRun> reported;
    std::vector<std::string> known;
    for (const QString& id : ids) {
        if (stop.stop_requested()) return cancelled_error();
        reading.report({"Reading runs", reported.size(), count});
        auto run = read_whole(*kept, folder, id.toStdString(), traces);
        if (!run) return run.error();
        known.push_back(run->run.id);
        reported.push_back(*std::move(run));
    }
    std::vector<std::string> unreadable; // the panel Runs has named them
    const auto others =
        runs::kept_runs(folder.toStdString(), most_others, unreadable, nullptr, known);
    if (!others) return others.error();
    return report::export_runs(reported, *others, path,
                               {runs::provenance_now(BLOCKLOOM_VERSION), file.paper}, writing,
                               stop);
}

} // namespace blockloom::ui
