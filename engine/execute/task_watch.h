// Counts the tasks that run beside rounds for the observers of a run.
#pragma once

#include "execute/live_run.h"

namespace blockloom::execute {

/// While it exists, a worker runs such a task, which began when the run was not paused.
class TaskWatch {
public:
    /// `live` null: nobody observes the run.
    TaskWatch(LiveRun* live, unsigned worker, const std::stop_token& stop)
        : live_(live), worker_(worker) {
        if (live_ == nullptr) return;
        live_->gate().begin_task(stop);
        begin_ = now_ns();
    }
    ~TaskWatch() {
        if (live_ == nullptr) return;
        live_->worked(worker_, now_ns() - begin_);
        live_->gate().end_task();
    }
    TaskWatch(const TaskWatch&) = delete;
    TaskWatch& operator=(const TaskWatch&) = delete;

private:
    LiveRun* live_;
    unsigned worker_;
    Nanoseconds begin_ = 0;
};

} // namespace blockloom::execute
