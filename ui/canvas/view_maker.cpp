#include "canvas/view_maker.h"

#include "scene/gantt.h"
#include "session/measured_run.h"
#include "session/shortage.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace blockloom::ui {
namespace {

/// The block with the costs that its schedule is of.
const schedule::BlockAnalysis& costs_or(const ViewJob& job) {
    return job.measured->analysis ? *job.measured->analysis : job.block->analysis;
}

} // namespace

struct ViewMaker::State {
    std::mutex mutex;
    std::condition_variable_any wake;
    std::optional<ViewJob> next; ///< not begun
    quint64 nextNumber = 0;      ///< of `next`
    std::stop_source current;    ///< ends the current job
    quint64 newest = 0;          ///< GUI thread: the number of the last request
    bool busy = false;           ///< GUI thread
    std::jthread thread;         ///< last: it goes first
};

ViewMaker::ViewMaker(QObject* parent) : QObject(parent), state_(std::make_unique<State>()) {
    state_->thread = std::jthread([this](const std::stop_token& stop) { work(stop); });
}

ViewMaker::~ViewMaker() {
    {
        const std::lock_guard lock(state_->mutex);
        state_->next.reset();
        state_->current.request_stop();
    }
    state_->thread.request_stop();
    state_->thread.join(); // while this object still exists: the thread posts to it
}

void ViewMaker::make(ViewJob job) {
    state_->busy = true;
    {
        const std::lock_guard lock(state_->mutex);
        state_->current.request_stop();
        state_->next = std::move(job);
        state_->nextNumber = ++state_->newest;
    }
    state_->wake.notify_one();
}

void ViewMaker::clear() {
    state_->busy = false;
    const std::lock_guard lock(state_->mutex);
    ++state_->newest;
    state_->next.reset();
    state_->current.request_stop();
}

bool ViewMaker::busy() const {
    return state_->busy;
}

void ViewMaker::work(const std::stop_token& stop) {
    while (true) {
        ViewJob job;
        quint64 number = 0;
        std::stop_token newer;
        {
            std::unique_lock lock(state_->mutex);
            if (!state_->wake.wait(lock, stop, [this] { return state_->next.has_value(); })) return;
            job = *std::exchange(state_->next, std::nullopt);
            number = state_->nextNumber;
            state_->current = std::stop_source();
            newer = state_->current.get_token();
        }
        if (without_shortage([&] { make_list(std::move(job), number, newer); })) continue;
        const auto end = [this, number] {
            if (number == state_->newest) state_->busy = false;
        };
        (void)without_shortage([&] { QMetaObject::invokeMethod(this, end, Qt::QueuedConnection); });
    }
}

void ViewMaker::make_list(ViewJob job, quint64 number, const std::stop_token& newer) {
    const schedule::BlockAnalysis& analysis = job.block->analysis;
    const bool both = job.measured && job.options.view == scene::View::schedule;
    if (both) {
        const auto& costs = job.measured->analysis;
        job.schedule = std::make_shared<const schedule::Schedule>(
            costs
                ? schedule::make_schedule(*costs->index, job.options.strategy, job.options.workers)
                : schedule::Schedule{job.options.strategy, job.options.workers, 0, {}});
    }
    scene::DisplayList list =
        both ? scene::make_gantts(costs_or(job), *job.schedule, *job.measured->drawn, job.options)
        : job.schedule && job.options.view == scene::View::schedule
            ? scene::make_gantt(analysis, *job.schedule, job.options)
            : scene::make_view(analysis, job.options, newer);
    if (newer.stop_requested()) return;
    auto shared = std::make_shared<const scene::DisplayList>(std::move(list));
    QMetaObject::invokeMethod(
        this,
        [this, number, job = std::move(job), shared] {
            if (number != state_->newest) return; // a newer request has come
            state_->busy = false;
            Q_EMIT made(job, shared);
        },
        Qt::QueuedConnection);
}

} // namespace blockloom::ui
