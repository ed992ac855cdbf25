#include "session/node_checks.h"

#include "runs/run_notes.h"
#include "session/run_job.h"
#include "session/runs.h"
#include "session/session.h"
#include "store/kept_folders.h"
#include "text/to_qt.h"

#include <algorithm>

namespace blockloom::ui {
namespace {

/// Whether a run has the blocks of a range, with the same results.
bool is_of_range(const runs::KeptRun& run, const range::Range& range) {
    return std::equal(run.blocks.begin(), run.blocks.end(), range.blocks.begin(),
                      range.blocks.end(), [](const runs::KeptBlock& kept, const auto& record) {
                          return record->replayed &&
                                 kept.hash == to_reversed_hex(record->replayed->execution->hash) &&
                                 kept.digest == to_hex(record->replayed->execution->digest);
                      });
}

} // namespace

NodeChecks::NodeChecks(Session* session, Runs* runs, QObject* parent)
    : QObject(parent), session_(session), runs_(runs) {
    connect(session_, &Session::rangeChanged, this, &NodeChecks::follow);
    connect(runs_, &Runs::keptChanged, this, [this] {
        keep();
        takeKept();
    });
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
    kept_with_.clear();
    takeKept();
    Q_EMIT changed();
}

void NodeChecks::show(const QString& run) {
    const runs::KeptRun* const kept = runs_->find(run);
    if (kept == nullptr || !kept->check) return;
    found_ = std::make_shared<const range::NodeCheck>(*kept->check);
    kept_with_ = run;
    Q_EMIT changed();
}

void NodeChecks::keep() {
    if (!found_ || !kept_with_.isEmpty()) return;
    const runs::KeptRun* run = runs_->lastMade();
    if (run == nullptr || !runs::is_of_run(*found_, *run)) {
        const auto& kept = runs_->kept();
        const auto at = std::find_if(kept.begin(), kept.end(), [this](const runs::KeptRun& each) {
            return runs::is_of_run(*found_, each);
        });
        run = at == kept.end() ? nullptr : &*at;
    }
    if (run == nullptr) return;
    kept_with_ = to_qt(run->id);
    runs_->changeFolder([id = run->id, check = found_](const std::filesystem::path& folder) {
        const auto runs = store::open_runs(folder);
        return runs ? runs::set_check(*runs, id, *check) : Status(runs.error());
    });
    Q_EMIT session_->logged(QStringLiteral("info"),
                            tr("The check is kept with run %1").arg(kept_with_));
    Q_EMIT changed();
}

/// A check that was made before, of what is open now.
void NodeChecks::takeKept() {
    const auto range = session_->range();
    if (found_ || running_ || !range || range->totals.executed == 0) return;
    for (const runs::KeptRun& run : runs_->kept())
        if (run.check && is_of_range(run, *range)) return show(to_qt(run.id));
}

QString NodeChecks::whyNot() const {
    if (const QString why = runs_->whyNot(); !why.isEmpty()) return why;
    return session_->choices().state.ofIndexer()
               ? QString()
               : tr("The initial state does not come from an indexer: Range ▸ Initial state");
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
                kept_with_.clear();
                const bool differs = found_->total().differences != 0;
                Q_EMIT session_->logged(
                    differs ? QStringLiteral("error") : QStringLiteral("info"),
                    tr("Compared with %1: %2")
                        .arg(to_qt(found_->place), to_qt(range::check_words(*found_))));
                Q_EMIT changed();
                keep();
                Q_EMIT ended();
            });
        },
        tr("Check"), tr("nothing was compared"));
    Q_EMIT changed();
}

} // namespace blockloom::ui
