// Writes reports as work of the session, one after another.
#pragma once

#include "window/report_export.h"

#include <QList>
#include <QObject>

#include <functional>

namespace blockloom::ui {

class Runs;
class Session;

/// A report is work of the session: progress, Cancel and the question at closing are those of the
/// window. While other work is in progress a report waits; one that is replaced by a new analysis
/// is written again after it, of the range and runs that were asked for.
class ReportWriter : public QObject {
    Q_OBJECT

public:
    ReportWriter(Session* session, Runs* runs, QObject* parent = nullptr);

    /// The open range.
    void writeRange(const ReportFile& file);
    /// Kept runs by their ids; two are compared.
    void writeRuns(const QStringList& ids, const ReportFile& file);
    [[nodiscard]] bool writing() const { return !orders_.isEmpty(); } ///< or waiting

Q_SIGNALS:
    void began(const QString& path);
    void waits(const QString& path); ///< until the work in progress has ended
    void written(const QString& path);
    void failed(const QString& message);

private:
    using Write = std::function<Status(ProgressSink& progress, const std::stop_token& stop)>;
    struct Order {
        QString path;
        Write write;
    };
    [[nodiscard]] static QString workName();
    void enqueue(const QString& path, Write write);
    void next();
    void watchReplacement();

    Session* session_;
    Runs* runs_;
    QList<Order> orders_; ///< the first one is being written if `running_`
    bool running_ = false;
};

} // namespace blockloom::ui
