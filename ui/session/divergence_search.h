// Finds where the two compared runs diverge by executing the block again as the window's current
// work.
#pragma once

#include "runs/run_divergence.h"

#include <QObject>
#include <QString>

#include <memory>

namespace blockloom::ui {

class Runs;
class Session;

/// Lives on the GUI thread. The work is the session's, with its progress and Cancel. The result
/// stays until other runs are compared.
class DivergenceSearch : public QObject {
    Q_OBJECT

public:
    DivergenceSearch(Session* session, Runs* runs, QObject* parent = nullptr);

    /// Searches the runs that are compared now.
    void start();
    void cancel();
    [[nodiscard]] bool running() const { return running_; }
    /// Null: nothing found yet.
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
    quint64 search_ = 0; ///< number of the search; results of older ones are dropped
    std::shared_ptr<const runs::RunDivergence> found_;
    QString error_;
};

} // namespace blockloom::ui
