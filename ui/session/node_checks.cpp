#include "session/node_checks.h"

#include "session/run_job.h"
#include "session/runs.h"
#include "session/session.h"
#include "text/to_qt.h"

namespace blockloom::ui {

NodeChecks::NodeChecks(Session* session, Runs* runs, QObject* parent)
    : QObject(parent), session_(session), runs_(runs) {
    connect(session_, &Session::rangeChanged, this, &NodeChecks::follow);
    // Cancelled, or replaced by other work: nothing is delivered then.
    connect(session_, &Session::busyChanged, this, [this](bool busy) {
        if (busy || !running_) return;
        running_ = false;
        Q_EMIT changed();
    });
}

void NodeChecks::follow() {
    const auto range = session_->range();
    const auto first = range ? range->blocks.front()->replayed : nullptr;
    if (first != nullptr && first == open_) return;
    open_ = first;
    ++check_;
    found_.reset();
    Q_EMIT changed();
}

QString NodeChecks::whyNot() const {
    if (const QString why = runs_->whyNot(); !why.isEmpty()) return why;
    return session_->choices().state.folder.isEmpty()
               ? tr("The initial state does not come from an indexer's database: Range ▸ Initial "
                    "state")
               : QString();
}

void NodeChecks::start() {
    if (!whyNot().isEmpty() || session_->busy()) return;
    running_ = true;
    const quint64 number = ++check_;
    session_->perform(
        [this, number, order = runs_->nextOrder()](const BackgroundWork::Delivery& deliver,
                                                   ProgressSink& progress,
                                                   const std::stop_token& stop) {
            const RunLog log = [this, &deliver](const QString& level, const QString& words) {
                deliver([this, level, words] { Q_EMIT session_->logged(level, words); });
            };
            auto found = perform_check(order, log, progress, stop);
            deliver([this, number, found = std::move(found)] {
                if (number != check_) return;
                running_ = false;
                if (!found) {
                    Q_EMIT changed();
                    if (found.error().code == ErrorCode::cancelled) return;
                    const QString why = tr("The replay could not be compared with the node: %1")
                                            .arg(to_qt(found.error().message));
                    Q_EMIT session_->logged(QStringLiteral("error"), why);
                    Q_EMIT session_->failed(why);
                    return;
                }
                found_ = std::make_shared<const range::NodeCheck>(*found);
                const bool differs = found_->total().differences != 0;
                Q_EMIT session_->logged(
                    differs ? QStringLiteral("error") : QStringLiteral("info"),
                    tr("Compared with %1: %2")
                        .arg(to_qt(found_->place), to_qt(range::check_words(*found_))));
                Q_EMIT changed();
                Q_EMIT ended();
            });
        },
        tr("Check"), tr("nothing was compared"));
    Q_EMIT changed();
}

} // namespace blockloom::ui
