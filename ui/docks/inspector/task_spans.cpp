#include "docks/inspector/task_spans.h"

#include "session/background_work.h"
#include "session/run_traces.h"
#include "session/runs.h"

namespace blockloom::ui {

TaskSpans::TaskSpans(Runs* runs, QObject* parent)
    : QObject(parent), runs_(runs), work_(new BackgroundWork(this)) {}

TaskSpans::~TaskSpans() = default;

void TaskSpans::look(const Wanted& wanted) {
    if (wanted == wanted_) return;
    wanted_ = wanted;
    found_ = {};
    work_->cancel();
    if (wanted.runs[0].id.empty() && wanted.runs[1].id.empty()) return;
    work_->start([this, wanted, read = read_, traces = runs_->traces(),
                  folder = runs_->folder().toStdString()](const BackgroundWork::Delivery& deliver,
                                                          ProgressSink&,
                                                          const std::stop_token& stop) mutable {
        std::array<std::optional<runs::TaskSpan>, 2> found;
        for (std::size_t side = 0; side < found.size(); ++side) {
            const Wanted::Run& run = wanted.runs[side];
            if (run.id.empty() || stop.stop_requested()) continue;
            if (read[side].id != run.id) {
                auto trace = traces->trace_of(folder, run.id);
                // Other panels say why spans cannot be read.
                read[side] = {run.id, trace ? *std::move(trace) : nullptr};
            }
            if (read[side].trace != nullptr)
                found[side] =
                    runs::span_of(*read[side].trace, wanted.height, wanted.task, run.placement);
        }
        deliver([this, found = std::move(found), read = std::move(read)]() mutable {
            found_ = std::move(found);
            read_ = std::move(read);
            Q_EMIT changed();
        });
    });
}

} // namespace blockloom::ui
