// Writes the open range as a report, off the GUI thread.
#pragma once

#include "range/range.h"

#include <QObject>
#include <QString>

#include <memory>

namespace blockloom::ui {

class BackgroundWork;

class ReportWriter : public QObject {
    Q_OBJECT

public:
    explicit ReportWriter(QObject* parent = nullptr);
    ~ReportWriter() override; ///< cancels the work and waits for it

    /// Emits written() or failed(). The extension of `path` decides the format.
    void write(std::shared_ptr<const range::Range> range, const QString& path, unsigned workers);

Q_SIGNALS:
    void written(const QString& path);
    void failed(const QString& message);

private:
    BackgroundWork* work_;
};

} // namespace blockloom::ui
