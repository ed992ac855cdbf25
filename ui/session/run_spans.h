// The spans of a finished run, laid out for a panel off the GUI thread.
#pragma once

#include "profile/timeline.h"

#include <QObject>
#include <QString>

#include <memory>
#include <string>
#include <vector>

namespace blockloom::ui {

class BackgroundWork;
class Runs;

/// Immutable.
struct RunSpans {
    static constexpr std::size_t parts = 400; ///< number of equal parts of the run

    std::shared_ptr<const profile::Timeline> timeline; ///< null: it has no spans
    std::shared_ptr<const profile::Trace> trace;       ///< the trace it was made from
    /// For each part of the run, the share of time in which a group's lanes were busy; with several
    /// groups, the largest.
    std::vector<float> host, device;
    std::string error; ///< why they could not be read; empty: they were
};

/// Lives on the GUI thread. The trace of the run that finished last is in memory; others are read.
class RunSpansReader : public QObject {
    Q_OBJECT

public:
    explicit RunSpansReader(Runs* runs, QObject* parent = nullptr);
    ~RunSpansReader() override; ///< waits for the layout in progress

    void read(const QString& id); ///< reads a run of Runs::folder(); replaces the last request
    void cancel();                ///< drops the request
    [[nodiscard]] bool running() const;

Q_SIGNALS:
    void ready(std::shared_ptr<const blockloom::ui::RunSpans> spans);

private:
    Runs* runs_;
    BackgroundWork* work_;
};

} // namespace blockloom::ui
