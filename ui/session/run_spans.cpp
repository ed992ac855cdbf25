#include "session/run_spans.h"

#include "session/background_work.h"
#include "session/run_traces.h"
#include "session/runs.h"

#include <algorithm>

namespace blockloom::ui {
namespace {

RunSpans lay_out(const Result<RunTraces::Trace>& trace) {
    RunSpans spans;
    if (!trace) spans.error = trace.error().message;
    if (!trace || *trace == nullptr || (*trace)->span_count() == 0) return spans;
    auto timeline = std::make_shared<const profile::Timeline>(**trace);
    const profile::TimeRange all{0, timeline->duration()};
    for (const profile::TimelineGroup& group : timeline->groups()) {
        const auto shares = timeline->busy_shares(group, all, RunSpans::parts);
        std::vector<float>& into = group.device ? spans.device : spans.host;
        into.resize(shares.size());
        for (std::size_t i = 0; i < shares.size(); ++i) into[i] = std::max(into[i], shares[i]);
    }
    spans.timeline = std::move(timeline);
    spans.trace = *trace;
    return spans;
}

} // namespace

RunSpansReader::RunSpansReader(Runs* runs, QObject* parent)
    : QObject(parent), runs_(runs), work_(new BackgroundWork(this)) {}

RunSpansReader::~RunSpansReader() {
    delete work_;
}

void RunSpansReader::read(const QString& id) {
    work_->start([this, traces = runs_->traces(), folder = runs_->folder().toStdString(),
                  id = id.toStdString()](const BackgroundWork::Delivery& deliver, ProgressSink&,
                                         const std::stop_token& stop) {
        auto spans = std::make_shared<const RunSpans>(lay_out(traces->trace_of(folder, id)));
        if (stop.stop_requested()) return;
        deliver([this, spans] { Q_EMIT ready(spans); });
    });
}

void RunSpansReader::cancel() {
    work_->cancel();
}

bool RunSpansReader::running() const {
    return work_->running();
}

} // namespace blockloom::ui
