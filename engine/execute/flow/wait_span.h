// The time for which a worker of a flow has nothing to run, as a span on its lane.
#pragma once

#include "execute/recording.h"

namespace blockloom::execute {

/// Several waits in a row are one span.
class WaitSpan {
public:
    /// Null: records nothing.
    WaitSpan(Recording* recording, unsigned worker) noexcept
        : recording_(recording), worker_(worker) {}
    ~WaitSpan() { ends(); }
    WaitSpan(const WaitSpan&) = delete;
    WaitSpan& operator=(const WaitSpan&) = delete;

    void begins() noexcept {
        if (recording_ == nullptr || waits_) return;
        begin_ = profile::tick();
        waits_ = true;
    }
    void ends() {
        if (!waits_) return;
        waits_ = false;
        recording_->worker(worker_).add(begin_, profile::tick(),
                                        {static_cast<std::uint16_t>(SpanName::waits),
                                         profile::Category::wait, profile::none, profile::none, 0});
    }

private:
    Recording* recording_;
    unsigned worker_;
    bool waits_ = false;
    profile::Tick begin_{};
};

} // namespace blockloom::execute
