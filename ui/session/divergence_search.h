// Where the two compared runs part: their block executed again in the window's line of work.
#pragma once

#include "runs/run_divergence.h"

#include <QObject>
#include <QString>

#include <memory>

namespace blockloom::ui {

class Runs;
class Session;

/// Lives on the GUI thread. The work is the session's: its progress is shown there, its cancel ends
/// it. What was found stays until other runs are compared.
class DivergenceSearch : public QObject {
    Q_OBJECT

public:
    DivergenceSearch(Session* session, Runs* runs, QObject* parent = nullptr);

    /// Of the runs that are compared now.
    void start();
    void cancel();
    [[nodiscard]] bool running() const { return running_; }
    /// Null: nothing was found yet.
    [[nodiscard]] std::shared_ptr<const runs::RunDivergence> found() const { return found_; }
    [[nodiscard]] QString error() const { return error_; } ///< why nothing was found

Q_SIGNALS:
    void changed();
    void ended(); ///< something was found

private:
    void forget();

    Session* session_;
    Runs* runs_;
    bool running_ = false;
    quint64 search_ = 0; ///< what an older one finds is dropped
    std::shared_ptr<const runs::RunDivergence> found_;
    QString error_;
};

} // namespace blockloom::ui
