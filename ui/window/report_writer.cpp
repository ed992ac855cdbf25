#include "window/report_writer.h"

#include "session/run_traces.h"
#include "session/runs.h"
#include "session/session.h"
#include "text/to_qt.h"

namespace blockloom::ui {

ReportWriter::ReportWriter(Session* session, Runs* runs, QObject* parent)
    : QObject(parent), session_(session), runs_(runs) {
    // Later, because who hears of the end may begin work of their own.
    connect(
        session_, &Session::busyChanged, this,
        [this](bool busy) {
            if (!busy) next();
        },
        Qt::QueuedConnection);
    connect(session_, &Session::progressChanged, this, &ReportWriter::watchReplacement);
    connect(session_, &Session::cancelled, this, [this] {
        if (!running_) return;
        running_ = false;
        orders_.removeFirst();
    });
}

void ReportWriter::writeRange(const ReportFile& file) {
    const auto range = session_->range();
    if (!range) return;
    enqueue(file.path, [range, file, workers = session_->workers()](ProgressSink& progress,
                                                                    const std::stop_token& stop) {
        return write_range_report(*range, file, workers, progress, stop);
    });
}

void ReportWriter::writeRuns(const QStringList& ids, const ReportFile& file) {
    if (ids.isEmpty()) return;
    enqueue(file.path, [folder = runs_->folder(), ids, traces = runs_->traces(),
                        file](ProgressSink& progress, const std::stop_token& stop) {
        return write_runs_report(folder, ids, *traces, file, progress, stop);
    });
}

void ReportWriter::enqueue(const QString& path, Write write) {
    orders_.append({path, std::move(write)});
    if (session_->busy() || running_)
        Q_EMIT waits(path);
    else
        next();
}

void ReportWriter::next() {
    if (running_ || session_->busy() || orders_.isEmpty()) return;
    running_ = true;
    const Order order = orders_.first();
    session_->perform(
        [this, order](const BackgroundWork::Delivery& deliver, ProgressSink& sink,
                      const std::stop_token& stop) {
            const Status status = order.write(sink, stop);
            deliver([this, status, path = order.path] {
                running_ = false;
                orders_.removeFirst();
                if (status)
                    Q_EMIT written(path);
                else if (status.error().code != ErrorCode::cancelled)
                    Q_EMIT failed(to_qt(status.error().message));
            });
        },
        workName(), tr("no file was written"));
    Q_EMIT began(order.path);
}

QString ReportWriter::workName() {
    return tr("Report");
}

/// Other work took the place of the report: it stays the first to be written.
void ReportWriter::watchReplacement() {
    if (running_ && session_->busy() && session_->workName() != workName()) running_ = false;
}

} // namespace blockloom::ui
