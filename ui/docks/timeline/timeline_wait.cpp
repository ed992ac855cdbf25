// Why the selected task waited in the run that a TimelineDock shows: arrows and words.
#include "docks/timeline/timeline_state.h"

#include "execute/measured_schedule.h"
#include "models/run_words.h"
#include "range/wait_story.h"
#include "schedule/wait_arrows.h"
#include "session/session.h"

namespace blockloom::ui {
namespace {

/// Where the executions of a lane stand in the timeline.
std::optional<std::uint32_t> row_named(const profile::Timeline& timeline, const std::string& name) {
    for (std::uint32_t row = 0; row < timeline.row_count(); ++row)
        if (timeline.row(row).depth == 0 && timeline.row(row).name == name) return row;
    return std::nullopt;
}

} // namespace

/// `known`: the run has spans of the selected task. Of a run that goes on nothing is told: what a
/// task waited for may not have ended.
void TimelineDock::askWait(bool known) {
    State& s = *state_;
    const auto block = s.session->currentBlock();
    const auto task = s.session->selectedTask();
    if (!known || s.trace == nullptr || !block || !task) {
        s.asking->cancel();
        s.told.reset();
        s.canvas->setWaited({}, {});
        return s.side->setWait({});
    }
    const bool same_block = s.measured && s.measured->block == block;
    if (same_block && s.told == *task) return;
    s.told = *task;
    if (same_block) {
        s.asking->cancel();
        return showWait(*s.measured, *task);
    }
    s.asking->start([this, block, task = *task, trace = s.trace,
                     strategy = s.kept.strategy](const BackgroundWork::Delivery& deliver,
                                                 ProgressSink&, const std::stop_token& stop) {
        const std::uint64_t height = block->replayed->execution->height;
        const auto began = execute::executions_begin(*trace, height);
        auto found = execute::measured_schedule(*trace, height, *block->analysis.index, strategy);
        if (!found || !began || stop.stop_requested()) return;
        auto measured = std::make_shared<Measured>();
        measured->block = block;
        measured->schedule = *std::move(found);
        measured->began = *began;
        deliver([this, measured, trace, task] {
            if (trace != state_->trace) return;
            state_->measured = measured;
            showWait(*measured, task);
        });
    });
}

void TimelineDock::showWait(const Measured& measured, std::uint32_t task) {
    State& s = *state_;
    const schedule::Schedule& schedule = measured.schedule.schedule;
    const auto wait = schedule::wait_of(*measured.block->analysis.index, schedule, task,
                                        measured.schedule.stands_under);
    std::vector<report::TimelineArrow> arrows;
    const auto moment = [&](double since) {
        return measured.began + static_cast<Nanoseconds>(since);
    };
    const auto timeline = s.canvas->timeline();
    if (wait && timeline)
        for (const schedule::WaitArrow& arrow : schedule::wait_arrows(schedule, *wait)) {
            const auto from = row_named(*timeline, measured.schedule.lanes[arrow.from_worker]);
            const auto to = row_named(*timeline, measured.schedule.lanes[arrow.to_worker]);
            if (from && to)
                arrows.push_back({*from, *to, moment(arrow.from), moment(arrow.to), arrow.worker});
        }
    const auto section = range::measured_section(*measured.block, measured.schedule,
                                                 run_title(s.kept).toStdString(), task);
    const QString sentence =
        section.sentence.empty()
            ? QString()
            : tr("Task #%1: %2").arg(task).arg(QString::fromStdString(section.sentence));
    s.canvas->setWaited(std::move(arrows), sentence);
    s.side->setWait(sentence);
    showLegend();
}

} // namespace blockloom::ui
