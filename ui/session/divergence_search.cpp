#include "session/divergence_search.h"

#include "session/background_work.h"
#include "session/runs.h"
#include "session/session.h"
#include "store/kept_folders.h"
#include "text/to_qt.h"

namespace blockloom::ui {
namespace {

/// The folder that a run's document names, where it is still there.
Result<std::string> state_of(const store::DocumentFolder& runs, const std::string& id) {
    const auto document = runs.load(id);
    if (!document) return document.error();
    std::string folder = *document ? runs::workspace_of(**document) : std::string();
    std::error_code unknown;
    return std::filesystem::exists(folder, unknown) ? folder : std::string();
}

Result<runs::DivergencePlan> plan_for(const std::string& folder, const std::string& a,
                                      const std::string& b) {
    runs::DivergencePlan plan;
    const auto runs = store::open_runs(folder);
    if (!runs) return runs.error();
    auto of_a = state_of(*runs, a);
    if (!of_a) return of_a.error();
    auto of_b = state_of(*runs, b);
    if (!of_b) return of_b.error();
    plan.workspace_a = *std::move(of_a);
    plan.workspace_b = *std::move(of_b);
    plan.device = runs::open_device_of;
    return plan;
}

} // namespace

DivergenceSearch::DivergenceSearch(Session* session, Runs* runs, QObject* parent)
    : QObject(parent), session_(session), runs_(runs) {
    connect(runs_, &Runs::comparedChanged, this, &DivergenceSearch::forget);
    // Cancelled, or replaced by other work: nothing is delivered then.
    connect(session_, &Session::busyChanged, this, [this](bool busy) {
        if (busy || !running_) return;
        running_ = false;
        Q_EMIT changed();
    });
}

void DivergenceSearch::forget() {
    ++search_;
    if (running_) session_->cancel();
    running_ = false;
    found_.reset();
    error_.clear();
    Q_EMIT changed();
}

void DivergenceSearch::cancel() {
    if (running_) session_->cancel();
}

void DivergenceSearch::start() {
    const runs::KeptRun *a = runs_->chosen(Runs::Side::a), *b = runs_->chosen(Runs::Side::b);
    if (a == nullptr || b == nullptr || running_) return;
    forget();
    running_ = true;
    const quint64 search = search_;
    runs::DivergencePlan extra;
    extra.contracts = session_->rangeOptions().contracts;
    session_->perform(
        [this, search, a = *a, b = *b, folder = runs_->folder().toStdString(),
         state = source_of(session_->choices().state), nodes = session_->rangeOptions().nodes,
         contracts = extra.contracts](const BackgroundWork::Delivery& deliver,
                                      ProgressSink& progress, const std::stop_token& stop) {
            auto plan = plan_for(folder, a.id, b.id);
            if (plan) {
                plan->contracts = contracts;
                // Where the state was not in a workspace: the place that is chosen now.
                if (state.given() && a.state.starts_with(state.place)) plan->state_a = state;
                if (state.given() && b.state.starts_with(state.place)) plan->state_b = state;
                plan->nodes = nodes;
            }
            auto found = plan ? runs::find_divergence(a, b, *plan, progress, stop)
                              : Result<runs::RunDivergence>(plan.error());
            deliver([this, search, found = std::move(found)] {
                if (search != search_) return;
                running_ = false;
                if (found)
                    found_ = std::make_shared<const runs::RunDivergence>(*found);
                else if (found.error().code != ErrorCode::cancelled)
                    error_ = to_qt(found.error().message);
                Q_EMIT changed();
                if (found_) Q_EMIT ended();
            });
        });
    Q_EMIT changed();
}

} // namespace blockloom::ui
