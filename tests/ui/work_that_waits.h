// Work that takes as long as a test needs.
#pragma once

#include "session/background_work.h"

#include <condition_variable>
#include <mutex>
#include <stop_token>

namespace blockloom::test {

/// Work for Session::perform: reports `first` and lasts until it is cancelled.
[[nodiscard]] inline auto work_that_waits(Progress first) {
    return [first = std::move(first)](const ui::BackgroundWork::Delivery&, ProgressSink& progress,
                                      std::stop_token stop) {
        progress.report(first);
        std::mutex mutex;
        std::condition_variable_any changed;
        std::unique_lock lock(mutex);
        changed.wait(lock, stop, [] { return false; });
    };
}

} // namespace blockloom::test
