// The spans of a run that has finished, laid out for a panel off the GUI thread.
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

/// Immutable once made.
struct RunSpans {
    static constexpr std::size_t parts = 400; ///< equal ones, of the run

    std::shared_ptr<const profile::Timeline> timeline; ///< null: it has no spans
    std::shared_ptr<const profile::Trace> trace;       ///< what it is of
    /// Shares of each part of the run in which a group's lanes were busy; of several groups the
    /// largest.
    std::vector<float> host, device;
    std::string error; ///< why they could not be read; empty: they were
};

/// Lives on the GUI thread. Of the run that finished last the session has the trace in memory; that
/// of another one is read.
class RunSpansReader : public QObject {
    Q_OBJECT

public:
    explicit RunSpansReader(Runs* runs, QObject* parent = nullptr);
    ~RunSpansReader() override; ///< waits for what is being laid out

    void read(const QString& id); ///< of a run of Runs::folder(); replaces the last question
    void cancel();                ///< nothing is answered any more
    [[nodiscard]] bool running() const;

Q_SIGNALS:
    void ready(std::shared_ptr<const blockloom::ui::RunSpans> spans);

private:
    Runs* runs_;
    BackgroundWork* work_;
};

} // namespace blockloom::ui
