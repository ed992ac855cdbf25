#include "window/report_writer.h"

#include "session/background_work.h"
#include "text/to_qt.h"
#include "window/report_export.h"

namespace blockloom::ui {

ReportWriter::ReportWriter(QObject* parent) : QObject(parent), work_(new BackgroundWork(this)) {}

ReportWriter::~ReportWriter() {
    delete work_;
}

void ReportWriter::write(std::shared_ptr<const range::Range> range, const QString& path,
                         unsigned workers) {
    work_->start(
        [this, range = std::move(range), path, workers](const BackgroundWork::Delivery& deliver,
                                                        ProgressSink& sink, std::stop_token stop) {
            const Status status = write_report(*range, path, workers, sink, std::move(stop));
            deliver([this, path, status] {
                if (status)
                    Q_EMIT written(path);
                else
                    Q_EMIT failed(to_qt(status.error().message));
            });
        });
}

} // namespace blockloom::ui
