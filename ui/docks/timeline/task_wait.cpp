#include "docks/timeline/task_wait.h"

#include "range/wait_story.h"
#include "runs/measured_schedule.h"
#include "schedule/measured.h"
#include "schedule/wait_arrows.h"
#include "session/background_work.h"
#include "text/run_names.h"
#include "text/to_qt.h"

#include <utility>

namespace blockloom::ui {
namespace {

/// The row of the timeline with a lane's name.
std::optional<std::uint32_t> row_named(const profile::Timeline& timeline, const std::string& name) {
    for (std::uint32_t row = 0; row < timeline.row_count(); ++row)
        if (timeline.row(row).depth == 0 && timeline.row(row).name == name) return row;
    return std::nullopt;
}

} // namespace

/// When the tasks of one block ran in the run. Immutable once made.
struct TaskWait::Measured {
    std::shared_ptr<const range::BlockRecord> block;
    schedule::MeasuredSchedule schedule;
    Nanoseconds began = 0; ///< moment 0 of the schedule, in the run
};

TaskWait::TaskWait(QObject* parent) : QObject(parent), work_(new BackgroundWork(this)) {}

/// Its job posts to this object, so it ends while the object still exists.
TaskWait::~TaskWait() {
    delete work_;
}

void TaskWait::setRun(const runs::KeptRun& run, std::shared_ptr<const profile::Timeline> timeline,
                      std::shared_ptr<const profile::Trace> trace) {
    cancel();
    run_ = run;
    timeline_ = std::move(timeline);
    trace_ = std::move(trace);
    measured_.reset();
}

void TaskWait::cancel() {
    work_->cancel();
    asked_.reset();
}

bool TaskWait::working() const {
    return work_->running();
}

void TaskWait::ask(const std::shared_ptr<const range::BlockRecord>& block, std::uint32_t task) {
    const bool same_block = measured_ && measured_->block == block;
    if (same_block && asked_ == task) return;
    asked_ = task;
    if (same_block) {
        work_->cancel();
        return answer(*measured_, task);
    }
    work_->start(
        [this, block, task, trace = trace_, strategy = run_.strategy,
         aborts = runs::aborts_of(run_, block->replayed->execution->height)](
            const BackgroundWork::Delivery& deliver, ProgressSink&, const std::stop_token& stop) {
            const std::uint64_t height = block->replayed->execution->height;
            const auto began = runs::executions_begin(*trace, height);
            auto found =
                runs::measured_schedule(*trace, height, *block->analysis.index, strategy, &aborts);
            if (!found || !began || stop.stop_requested()) return;
            auto measured = std::make_shared<Measured>();
            measured->block = block;
            measured->schedule = *std::move(found);
            measured->began = *began;
            deliver([this, measured, trace, task] {
                if (trace != trace_) return;
                measured_ = measured;
                answer(*measured, task);
            });
        });
}

void TaskWait::answer(const Measured& measured, std::uint32_t task) {
    const schedule::Schedule& schedule = measured.schedule.schedule;
    const auto wait = schedule::wait_of(*measured.block->analysis.index, schedule, task,
                                        measured.schedule.stands_under);
    std::vector<report::TimelineArrow> arrows;
    const auto moment = [&](double since) {
        return measured.began + static_cast<Nanoseconds>(since);
    };
    if (wait && timeline_)
        for (const schedule::WaitArrow& arrow : schedule::wait_arrows(schedule, *wait)) {
            const auto from = row_named(*timeline_, measured.schedule.lanes[arrow.from_worker]);
            const auto to = row_named(*timeline_, measured.schedule.lanes[arrow.to_worker]);
            if (from && to)
                arrows.push_back({*from, *to, moment(arrow.from), moment(arrow.to), arrow.worker});
        }
    const auto section = range::measured_section(*measured.block, measured.schedule,
                                                 run_title(run_).toStdString(), task);
    Q_EMIT found(arrows, section.sentence.empty()
                             ? QString()
                             : tr("Task #%1: %2").arg(task).arg(to_qt(section.sentence)));
}

} // namespace blockloom::ui
